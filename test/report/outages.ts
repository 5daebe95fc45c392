import { makeReport } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from './entries.ts';

/** A failure that is worth another try. */
export const down = { status: 503, faults: ['http-error'] } as const;

/** The verdict of a check on a client with these calls. */
export function verdictOf(check: string, ...sketches: readonly Sketch[]): string | undefined {
  const { conduct } = makeReport('default', { entries: entriesOf(sketches), evicted: 0 });
  return conduct.find((one) => one.check === check)?.verdict;
}

/** The same request again and again while the service is down, with pauses of so many milliseconds. */
export function outage(operation: string, from: number, pauses: readonly number[]): readonly Sketch[] {
  let ms = from;
  return [{ ms, operation, ...down }, ...pauses.map((pause) => ({ ms: (ms += pause), operation, ...down }))];
}

/** Requests that fail together, each so many milliseconds later, and are each retried after a pause. */
export function together(from: number, pauses: readonly number[], apart = 0): readonly Sketch[] {
  const all = pauses.map((pause, index) => {
    const request = { ms: from + index * apart, elements: [{ quizId: `${from}-${index}` }] };
    return { first: { ...request, ...down }, second: { ...request, ms: request.ms + pause } };
  });
  const calls = [...all.map(({ first }) => first), ...all.map(({ second }) => second)];
  return calls.toSorted((before, after) => before.ms - after.ms);
}
