import { parseJson } from '../contract/envelope.ts';
import { outcomeOf, type SlicedWork } from '../base/sliced-work.ts';
import type { Edit, InjectedFailure, Phase, Room } from '../faults/fault.ts';
import type { InjectedFault } from '../sandbox/journal-entry.ts';
import { fromWire, toWire } from '../base/wire-text.ts';
import type { FaultyReply } from '../faults/faulty-reply.ts';
import type { Reply } from './call.ts';
import type { CallContext } from './call-context.ts';
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
  | { readonly of: 'outputs'; readonly edit: OutputEdit };

type OutputEdit = (members: readonly unknown[], room: Room) => ReturnType<Edit>;

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
export function* applyFaults(
  { sandbox }: CallContext,
  { faults, changes }: Injection,
  answered: Refusal | readonly Outcome[],
  whole: Reply,
): SlicedWork<Reply> {
  let faulty: FaultyReply = whole;
  const outputs = new EditedOutputs(sandbox.caps.replyBytes);
  for (const [number, change] of changes.entries()) {
    if (number > 0) yield;
    // Nothing is sent, so nothing is left to change.
    if (faulty.status === 0) break;
    if (change.of === 'reply') faulty = change.change(outputs.putInto(faulty));
    else if (!(answered instanceof Refusal)) yield* outputs.editing(faulty, change.edit);
  }
  if (outputs.areEdited) yield;
  faulty = outputs.putInto(faulty);
  const { delivery, ...reply } = faulty;
  const label = labelOf(faults, sandbox.caps.faultLabelBytes);
  return {
    ...reply,
    headers: sandbox.labels && reply.status !== 0 ? [...reply.headers, 'Sandbox-Fault', label] : reply.headers,
    ...(delivery === undefined
      ? {}
      : { faultyDelivery: { delivery, wait: (milliseconds, callback) => sandbox.clock.wait(milliseconds, callback) } }),
  };
}

/** No client needs more to be in trouble, and the server must not be. In characters. */
const maxAdded = 8 * 1024 * 1024;

/** The outputs of a reply while faults change them, one after the other: they are read once, and written once. */
class EditedOutputs {
  readonly #most: number;
  readonly #room: Room = { left: maxAdded };
  #members: readonly unknown[] | null = null;

  /** `most` is the size of the largest reply, in bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  get areEdited(): boolean {
    return this.#members !== null;
  }

  *editing({ body }: FaultyReply, edit: OutputEdit): SlicedWork<void> {
    // The sandbox's own outputs, which another fault may have broken before.
    const members = this.#members ?? parseJson(fromWire(body));
    if (Array.isArray(members)) this.#members = yield* outcomeOf(edit(members, this.#room));
  }

  /** The reply with the outputs as they are now; as it was if it would become too large. */
  putInto(reply: FaultyReply): FaultyReply {
    if (this.#members === null) return reply;
    const body = toWire(JSON.stringify(this.#members));
    this.#members = null;
    return body.length <= this.#most ? { ...reply, body } : reply;
  }
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
