import type { ExpectedCall } from './misfits.ts';
import type { SentEntry } from './sent-call.ts';
import { listed } from '../base/lists.ts';

/** The expected number of calls. */
export interface Range {
  readonly least: number;
  /** Infinity if there is no limit. */
  readonly most: number;
}

/** Returns, for example, "exactly 2 calls of submit-user-course-item with outcome ok". */
export function callsInWords({ least, most }: Range, expected: ExpectedCall): string {
  if (most === 0 && least === 0) return `no calls${traits(expected)}`;
  const atLeast = least > 0 || most === Infinity ? [`at least ${least}`] : [];
  const atMost = most === Infinity ? [] : [`at most ${most}`];
  const bounds = least === most ? [`exactly ${most}`] : [...atLeast, ...atMost];
  const last = most === Infinity ? least : most;
  return `${bounds.join(' and ')} ${last === 1 ? 'call' : 'calls'}${traits(expected)}`;
}

/** Returns, for example, "a call of submit-user-course-item with outcome ok". */
export function callInWords(expected: ExpectedCall): string {
  return `a call${traits(expected)}`;
}

function traits({ operation, school, outcome, parameters, body }: ExpectedCall): string {
  const more = [
    ...(outcome === undefined ? [] : [`outcome ${outcome}`]),
    ...(parameters === undefined ? [] : [`parameters ${short(parameters)}`]),
    ...(body === undefined ? [] : [`body ${short(body)}`]),
  ];
  const of = operation === undefined ? '' : ` of ${operation}`;
  const by = school === undefined ? '' : ` by ${school}`;
  return `${of}${by}${more.length === 0 ? '' : ` with ${more.join(' and ')}`}`;
}

const maxShown = 100;

function short(value: object): string {
  const text = JSON.stringify(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}

const maxNamed = 10;

/** Returns the request ids of calls; only the first ones if there are many. */
export function idsOf(calls: readonly SentEntry[]): string {
  const ids = calls.slice(0, maxNamed).map(({ requestId }) => requestId);
  return listed(ids, calls.length);
}
