import { withoutPause } from '../../src/base/sliced-work.ts';
import { running } from '../../src/report/check.ts';
import { checks } from '../../src/report/checks/index.ts';
import type { Report } from '../../src/report/report.ts';
import { viewsOfSketches, type Sketch } from './entries.ts';

/** A failure that is worth another try. */
export const down = { status: 503, faults: ['http-error'] } as const;

/** What one check says of a client with these calls. The others do not run: a report takes ten times as long. */
export function judged(name: string, sketches: readonly Sketch[]): Report['conduct'][number] {
  const check = checks.find((one) => one.check === name);
  if (check === undefined) throw new Error(`No check has the name ${name}.`);
  return withoutPause(running(check, viewsOfSketches(sketches)));
}

export function verdictOf(check: string, ...sketches: readonly Sketch[]): string {
  return judged(check, sketches).verdict;
}

/** Why a check has its verdict. */
export function reasonOf(check: string, ...sketches: readonly Sketch[]): string {
  return judged(check, sketches).message;
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
