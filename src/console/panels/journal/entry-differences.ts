import type { Schemas } from '../../control-problem.ts';
import { differencesBetween, type Difference } from '../../parts/differences.ts';

type Entry = Schemas['JournalEntry'];

/** The differences of one part of two entries. */
export interface PartDifferences {
  readonly part: string;
  readonly differences: readonly Difference[];
}

/** Headers that differ in every call. */
const always = new Set(['date', 'sandbox-request-id', 'content-length', 'host', 'x-ratelimit-remaining']);

/** Returns how an entry differs from an earlier one, without what differs in every call. */
export function entryDifferences(before: Entry, after: Entry): readonly PartDifferences[] {
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ['Call', factsOf(before), factsOf(after)],
    ['Request headers', headersOf(before.requestHeaders), headersOf(after.requestHeaders)],
    ['Request body', contentOf(before.request), contentOf(after.request)],
    ['Request trailers', before.requestTrailers ?? {}, after.requestTrailers ?? {}],
    ['Response headers', headersOf(before.responseHeaders), headersOf(after.responseHeaders)],
    ['Response body', contentOf(before.response), contentOf(after.response)],
  ];
  return parts.flatMap(([part, was, is]) => {
    const differences = differencesBetween(was, is);
    return differences.length === 0 ? [] : [{ part, differences }];
  });
}

function factsOf({ method, url, school, key, status, outcome, faults, assumed }: Entry): object {
  const injected = faults.map(({ fault }) => fault);
  return { method, url, school, key, status, outcome, faults: injected, assumed };
}

function headersOf(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !always.has(name)));
}

/** Returns a body as JSON, or as text if it is none. */
function contentOf(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text);
    return content;
  } catch {
    return text;
  }
}
