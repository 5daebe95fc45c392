import type { components } from '../contract/generated/control.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import { callInWords, callsInWords, idsOf, type Range } from './expectation-words.ts';
import { fits, type ExpectedCall } from './misfits.ts';
import { nearestMiss } from './nearest-miss.ts';
import { sentCall, type SentCall } from './sent-call.ts';

type Schemas = components['schemas'];
type Verdict = Schemas['Verdict'];

/** Holds what was expected of a client against what it sent: `entries` are its exchanges, newest last. */
export function judge(entries: readonly JournalEntry[], { counts = [], sequence = [] }: Schemas['Expectations']): Omit<Verdict, 'evicted'> {
  const calls = entries.map(sentCall);
  const judged = { counts: counts.map((expected) => judgeCount(calls, expected)), sequence: judgeSequence(calls, sequence) };
  return { holds: [...judged.counts, ...judged.sequence].every(({ holds }) => holds), ...judged };
}

function judgeCount(calls: readonly SentCall[], expected: Schemas['ExpectedCount']): Verdict['counts'][number] {
  const fitting = calls.filter((call) => fits(call, expected));
  const found = fitting.length;
  const range = rangeOf(expected);
  const wanted = `Expected ${callsInWords(range, expected)}, found`;
  if (found > range.most) return { holds: false, found, message: `${wanted} ${found}: ${idsOf(fitting)}.` };
  const message = `${wanted} ${found === 0 ? 'none' : found}.`;
  return found < range.least
    ? { holds: false, found, message, ...nearestMiss(without(calls, fitting), expected) }
    : { holds: true, found, message };
}

/** All that is said must hold; where nothing is, one call is enough. */
function rangeOf({ times, atLeast, atMost }: Schemas['ExpectedCount']): Range {
  const standard = times === undefined && atMost === undefined ? 1 : 0;
  return { least: Math.max(times ?? 0, atLeast ?? standard), most: Math.min(times ?? Infinity, atMost ?? Infinity) };
}

function judgeSequence(calls: readonly SentCall[], sequence: readonly ExpectedCall[]): Verdict['sequence'] {
  const found = follow(calls, sequence);
  const free = without(calls, found);
  return sequence.map((expected, place) => {
    const call = found[place];
    const previous = found.slice(0, place).findLast((one) => one !== undefined);
    const after = previous === undefined ? '' : ` after ${previous.entry.requestId}`;
    const wanted = `Expected ${callInWords(expected)}${after}, found`;
    if (call !== undefined) return { holds: true, requestId: call.entry.requestId, message: `${wanted} ${call.entry.requestId}.` };
    // Had one of these come later, it would have been found.
    const early = free.filter((one) => fits(one, expected));
    const hint = early.length === 0 ? '' : `; too early for it: ${idsOf(early)}`;
    return { holds: false, requestId: null, message: `${wanted} none${hint}.`, ...nearestMiss(without(free, early), expected) };
  });
}

/** For each expected call the first one that fits behind those found before: if any choice finds all of them, this one does. */
function follow(calls: readonly SentCall[], sequence: readonly ExpectedCall[]): readonly (SentCall | undefined)[] {
  let next = 0;
  return sequence.map((expected) => {
    const place = calls.findIndex((call, at) => at >= next && fits(call, expected));
    if (place >= 0) next = place + 1;
    return calls[place];
  });
}

function without(calls: readonly SentCall[], some: readonly (SentCall | undefined)[]): readonly SentCall[] {
  const left = new Set(some);
  return calls.filter((call) => !left.has(call));
}
