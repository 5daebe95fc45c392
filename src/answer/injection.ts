import { parseJson } from '../contract/envelope.ts';
import type { SlicedWork } from '../sandbox/slices.ts';
import type { InjectedFailure, Phase } from '../faults/fault.ts';
import type { InjectedFault } from '../sandbox/journal-entry.ts';
import { fromWire, toWire, type WireText } from '../sandbox/wire-text.ts';
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
export function* spoil(
  { sandbox }: Exchange,
  { faults, changes }: Injection,
  answered: Refusal | readonly Outcome[],
  whole: Reply,
): SlicedWork<Reply> {
  let faulty: FaultyReply = whole;
  for (const [number, change] of changes.entries()) {
    if (number > 0) yield;
    // Nothing is sent, so nothing is left to change.
    if (faulty.status === 0) break;
    if (change.of === 'reply') faulty = change.change(faulty);
    else if (!(answered instanceof Refusal)) faulty = { ...faulty, body: edited(faulty.body, change.edit, sandbox.caps.replyBytes) };
  }
  const { delivery, ...reply } = faulty;
  const label = labelOf(faults, sandbox.caps.faultLabelBytes);
  return {
    ...reply,
    headers: sandbox.labels && reply.status !== 0 ? [...reply.headers, 'Sandbox-Fault', label] : reply.headers,
    ...(delivery === undefined
      ? {}
      : { spoilt: { delivery, wait: (milliseconds, callback) => sandbox.clock.wait(milliseconds, callback) } }),
  };
}

/** The body with its outputs changed; as it was if it would become larger than `most` bytes. */
function edited(body: WireText, edit: (members: readonly unknown[]) => readonly unknown[], most: number): WireText {
  // The sandbox's own outputs, which another fault may have broken before.
  const members = parseJson(fromWire(body));
  if (!Array.isArray(members)) return body;
  const changed = toWire(JSON.stringify(edit(members)));
  return changed.length <= most ? changed : body;
}

/** The faults of a call in one header of limited length: the first of them, and how many others there are. */
function labelOf(faults: Injection['faults'], most: number): string {
  const names = faults.map(({ rule, fault }) => rule ?? fault);
  const whole = names.join(', ');
  if (whole.length <= most) return whole;
  let shown = names.length;
  let length = whole.length;
  const rest = ' and 1000000 more'.length;
  while (shown > 1 && length + rest > most) {
    shown -= 1;
    length -= (names[shown]?.length ?? 0) + 2;
  }
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}
