import { groupBy } from '../base/group-by.ts';
import type { components } from '../contract/generated/control.ts';
import type { Attempt } from './attempt.ts';
import type { Calls } from './calls.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

type Schemas = components['schemas'];

/** One rule of good conduct. */
export interface Check {
  /** As it is named in reports and thresholds. */
  readonly check: string;
  readonly title: string;
  /** What is held against what, on which clock, with which tolerance. */
  readonly rule: string;
  /** What an occasion to keep the rule is, in the plural. */
  readonly occasion: string;
  /** How to bring a client to one. */
  readonly exercise: string;
  /** Work that looks into every body is divided. */
  readonly examine: (calls: Calls) => Examination | SlicedWork<Examination>;
}

/** What a check found. */
interface Examination {
  /** How often the client had to keep the rule. */
  readonly occasions: number;
  readonly breaches: readonly Breach[];
}

/** One time that the rule was broken. */
export interface Breach {
  readonly message: string;
  /** The calls that show it, at least one. */
  readonly calls: readonly [Attempt, ...Attempt[]];
}

/** Breaches that are shown for each operation, and calls for each of them. */
const maxShown = 3;
const maxCalls = 4;

/** Holds a check against what a client did. A check without an occasion never passes. */
export function* running({ examine, check, title, rule, occasion, exercise }: Check, calls: Calls): SlicedWork<Schemas['ConductCheck']> {
  yield;
  const examined = examine(calls);
  const { occasions, breaches } = 'occasions' in examined ? examined : yield* examined;
  const verdict = breaches.length > 0 ? 'failed' : occasions > 0 ? 'passed' : 'not-exercised';
  const on = `on ${occasions === 1 ? 'one occasion' : `${occasions} occasions`} (${occasion})`;
  const messages = {
    failed: `Broken ${breaches.length === 1 ? 'once' : `${breaches.length} times`} ${on}.`,
    passed: `Kept ${on}.`,
    'not-exercised': `Not exercised: there were no ${occasion}.`,
  };
  return { check, title, rule, verdict, occasions, message: messages[verdict], findings: findingsFrom(breaches), exercise };
}

/** Breaches that read alike are one finding, with the calls of them all. */
function findingsFrom(breaches: readonly Breach[]): readonly Schemas['Finding'][] {
  const byOperation = groupBy(breaches, ({ calls: [first] }) => first.entry.operation);
  return [...byOperation].flatMap(([operation, all]) => {
    const alike = [...groupBy(all, ({ message }) => message)];
    return alike.slice(0, maxShown).map(([message, same], index) => {
      const more = index === maxShown - 1 && alike.length > maxShown ? ` (and ${alike.length - maxShown} more like it)` : '';
      // One call may end one breach and begin the next.
      const evidence = new Set(same.slice(0, maxCalls).flatMap(({ calls }) => calls.slice(0, maxCalls)));
      return { operation, message: `${message}${more}`, evidence: [...evidence].slice(0, maxCalls).map(evidenceOf) };
    });
  });
}

function evidenceOf({ entry: { requestId, at, receivedAt } }: Attempt): Schemas['Finding']['evidence'][number] {
  return { requestId, at, receivedAt };
}

/** Milliseconds as people read them. */
export function seconds(milliseconds: number): string {
  return milliseconds > 0 && milliseconds < 10 ? 'less than 0.01 s' : `${Number((milliseconds / 1000).toFixed(2))} s`;
}
