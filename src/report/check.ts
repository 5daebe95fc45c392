import { groupBy } from '../base/group-by.ts';
import type { components } from '../contract/generated/control.ts';
import type { Attempt } from './attempt.ts';
import type { Calls } from './calls.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

type Schemas = components['schemas'];

/** One check of the client's conduct. */
export interface Check {
  /** Its name in reports and thresholds. */
  readonly check: string;
  readonly title: string;
  /** What is compared, on which clock, with which tolerance. */
  readonly rule: string;
  /** What counts as an occasion for the check, in the plural. */
  readonly occasion: string;
  /** How to create an occasion. */
  readonly exercise: string;
  /** Returns sliced work if it reads every body. */
  readonly examine: (calls: Calls) => Examination | SlicedWork<Examination>;
}

/** The result of a check. */
interface Examination {
  /** How often the check applied. */
  readonly occasions: number;
  readonly breaches: readonly Breach[];
}

/** One violation of a check. */
export interface Breach {
  readonly message: string;
  /** The calls that prove it, at least one. */
  readonly calls: readonly [Attempt, ...Attempt[]];
}

/** Maximum number of breaches shown per operation, and of calls shown per breach. */
const maxShown = 3;
const maxCalls = 4;

/** Applies a check to the calls of a client. A check without an occasion never passes. */
export function* running(
  { examine, check, title, rule, occasion, exercise }: Check,
  calls: Calls,
): SlicedWork<Schemas['ConductCheck']> {
  yield;
  const examined = examine(calls);
  const { occasions, breaches } = 'occasions' in examined ? examined : yield* examined;
  const withoutBreaches = occasions > 0 ? 'passed' : 'not-exercised';
  const verdict = breaches.length > 0 ? 'failed' : withoutBreaches;
  const on = `on ${occasions === 1 ? 'one occasion' : `${occasions} occasions`} (${occasion})`;
  const messages = {
    failed: `Failed ${breaches.length === 1 ? 'once' : `${breaches.length} times`} ${on}.`,
    passed: `Passed ${on}.`,
    'not-exercised': `Not exercised: there were no ${occasion}.`,
  };
  return {
    check,
    title,
    rule,
    verdict,
    occasions,
    message: messages[verdict],
    findings: findingsFrom(breaches),
    exercise,
  };
}

/** Groups breaches with the same message into one finding. */
function findingsFrom(breaches: readonly Breach[]): readonly Schemas['Finding'][] {
  const byOperation = groupBy(breaches, ({ calls: [first] }) => first.entry.operation);
  return [...byOperation].flatMap(([operation, all]) => {
    const alike = [...groupBy(all, ({ message }) => message)];
    return alike.slice(0, maxShown).map(([message, same], index) => {
      const more =
        index === maxShown - 1 && alike.length > maxShown
          ? ` (and ${alike.length - maxShown} more like it)`
          : '';
      // One call may end one breach and start the next.
      const evidence = new Set(same.slice(0, maxCalls).flatMap(({ calls }) => calls.slice(0, maxCalls)));
      return {
        operation,
        message: `${message}${more}`,
        evidence: [...evidence].slice(0, maxCalls).map(evidenceOf),
      };
    });
  });
}

function evidenceOf({
  entry: { requestId, at, receivedAt },
}: Attempt): Schemas['Finding']['evidence'][number] {
  return { requestId, at, receivedAt };
}

/** Formats milliseconds as seconds. */
export function seconds(milliseconds: number): string {
  return milliseconds > 0 && milliseconds < 10
    ? 'less than 0.01 s'
    : `${Number((milliseconds / 1000).toFixed(2))} s`;
}
