import { parseJson } from '../contract/envelope.ts';
import type { InjectedFailure, Phase } from '../faults/fault.ts';
import type { InjectedFault } from '../sandbox/journal-entry.ts';
import { fromWire, toWire } from '../sandbox/wire-text.ts';
import type { FaultyReply, Reply } from './call.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

/** How an element is made to fail: instead of being processed, or after it was. */
export interface ElementFailure {
  readonly failure: InjectedFailure;
  readonly phase: Phase;
}

/** What the faults that hit a call do to it. */
export interface Injection {
  readonly faults: readonly InjectedFault[];
  /** How long it is held up before it is processed, and after, in milliseconds. */
  readonly waits: Readonly<Record<Phase, number>>;
  /** What answers it instead of its outputs. */
  readonly refusal: Refusal | null;
  /** It is not processed at all. */
  readonly prevents: boolean;
  /** It is processed for the reply's sake, but nothing of it takes effect. */
  readonly undoes: boolean;
  /** Elements that fail, by their number. */
  readonly failures: ReadonlyMap<number, ElementFailure>;
  /** What happens to the reply, in order. */
  readonly changes: readonly Change[];
}

type Change =
  | { readonly of: 'reply'; readonly change: (reply: FaultyReply) => FaultyReply }
  /** A call that was refused has no outputs to change. */
  | { readonly of: 'outputs'; readonly edit: (members: readonly unknown[]) => readonly unknown[] };

/** What happens to nearly every call. */
export const noInjection: Injection = Object.freeze({
  faults: Object.freeze([]),
  waits: Object.freeze({ before: 0, after: 0 }),
  refusal: null,
  prevents: false,
  undoes: false,
  failures: new Map<number, ElementFailure>([]),
  changes: Object.freeze([]),
});

/** The reply as the faults leave it, with the label that tells them from real failures. */
export function spoil({ sandbox }: Exchange, { faults, changes }: Injection, answered: Refusal | readonly Outcome[], whole: Reply): Reply {
  let faulty: FaultyReply = whole;
  for (const change of changes) {
    // Nothing is sent, so nothing is left to change.
    if (faulty.status === 0) break;
    if (change.of === 'reply') faulty = change.change(faulty);
    else if (!(answered instanceof Refusal)) faulty = { ...faulty, body: edited(faulty.body, change.edit) };
  }
  const { delivery, ...reply } = faulty;
  const label = faults.map(({ rule, fault }) => rule ?? fault).join(', ');
  return {
    ...reply,
    headers: sandbox.labels && reply.status !== 0 ? [...reply.headers, 'Sandbox-Fault', label] : reply.headers,
    ...(delivery === undefined
      ? {}
      : { spoilt: { delivery, wait: (milliseconds, callback) => sandbox.clock.wait(milliseconds, callback) } }),
  };
}

function edited(body: string, edit: (members: readonly unknown[]) => readonly unknown[]): string {
  // The sandbox's own outputs, which another fault may have broken before.
  const members = parseJson(fromWire(body));
  return Array.isArray(members) ? toWire(JSON.stringify(edit(members))) : body;
}
