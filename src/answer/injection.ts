import { parseJson } from '../contract/envelope.ts';
import { isSliced, type SlicedWork } from '../base/sliced-work.ts';
import type { Edit, InjectedFailure, Phase, Room } from '../faults/fault.ts';
import type { InjectedFault } from '../sandbox/journal-entry.ts';
import { fromWire, toWire } from '../base/wire-text.ts';
import type { Delivery, FaultyReply } from '../faults/faulty-reply.ts';
import type { Reply } from './call.ts';
import type { CallContext } from './call-context.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';
import { listed } from '../base/lists.ts';

/** How an element fails: instead of being processed, or afterwards. */
export interface ElementFailure {
  readonly failure: InjectedFailure;
  readonly phase: Phase;
}

/** The effects of the injected faults on a call. */
export interface Injection {
  readonly faults: readonly InjectedFault[];
  /** Delays before and after processing, in milliseconds. */
  readonly waits: Readonly<Record<Phase, number>>;
  /** The reply instead of the outputs. */
  readonly refusal: Refusal | null;
  /** Whether the call is not processed. */
  readonly prevents: boolean;
  /** Whether the call is processed only for its reply, without effect. */
  readonly undoes: boolean;
  /** Failing elements by index. */
  readonly failures: ReadonlyMap<number, ElementFailure>;
  /** Changes of the reply, in order. */
  readonly changes: readonly Change[];
}

type Change =
  | { readonly of: 'reply'; readonly change: (reply: FaultyReply) => FaultyReply }
  /** Skipped if the call was refused, because then it has no outputs. */
  | { readonly of: 'outputs'; readonly edit: OutputEdit };

type OutputEdit = (members: readonly unknown[], room: Room) => ReturnType<Edit>;

/** The injection of a call without faults. */
export const noInjection: Injection = Object.freeze({
  faults: Object.freeze([]),
  waits: Object.freeze({ before: 0, after: 0 }),
  refusal: null,
  prevents: false,
  undoes: false,
  failures: new Map<number, ElementFailure>([]),
  changes: Object.freeze([]),
});

/** Returns the reply as changed by the faults, with the header that distinguishes them from real failures. */
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
    // Nothing is sent, so there is nothing to change.
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
    headers:
      sandbox.labels && reply.status !== 0 ? [...reply.headers, 'Sandbox-Fault', label] : reply.headers,
    ...(delivery === undefined
      ? {}
      : {
          faultyDelivery: {
            delivery,
            wait: (milliseconds, callback) =>
              sandbox.clock.wait(milliseconds, callback, { isShort: isShort(delivery) }),
            finish: () => sandbox.finish(),
          },
        }),
  };
}

/** Returns whether what is sent after a wait is small. */
function isShort(delivery: Delivery): boolean {
  return delivery.kind !== 'body' || (delivery.drip?.bytes ?? 0) <= maxShortBytes;
}

/** In bytes. */
const maxShortBytes = 16_384;

/** Bounds what faults add to a reply, to protect the server. In characters. */
const maxAddedChars = 8 * 1024 * 1024;

/** The outputs of a reply while several faults change them: parsed once and serialized once. */
class EditedOutputs {
  readonly #maxBytes: number;
  readonly #room: Room = { left: maxAddedChars };
  #members: readonly unknown[] | null = null;

  /** `maxBytes` is the maximum size of a reply. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get areEdited(): boolean {
    return this.#members !== null;
  }

  *editing({ body }: FaultyReply, edit: OutputEdit): SlicedWork<void> {
    // Another fault may already have broken the outputs.
    const members = this.#members ?? parseJson(fromWire(body));
    if (!Array.isArray(members)) return;
    const editing = edit(members, this.#room);
    this.#members = isSliced(editing) ? yield* editing : editing;
  }

  /** Returns the reply with the edited outputs; unchanged if it would be too large. */
  putInto(reply: FaultyReply): FaultyReply {
    if (this.#members === null) return reply;
    const body = toWire(JSON.stringify(this.#members));
    this.#members = null;
    return body.length <= this.#maxBytes ? { ...reply, body } : reply;
  }
}

/**
 * Returns the header value that lists the faults of a call. If it would be too long, it lists the first ones
 * and counts the others.
 */
function labelOf(faults: Injection['faults'], maxLength: number): string {
  const names = faults.map(({ rule, fault }) => rule ?? fault);
  const whole = names.join(', ');
  if (whole.length <= maxLength) return whole;
  let shown = names.length;
  let length = whole.length;
  const rest = ' and 1000000 more'.length;
  while (shown > 1 && length + rest > maxLength) {
    shown -= 1;
    length -= (names[shown]?.length ?? 0) + 2;
  }
  return listed(names.slice(0, shown), names.length);
}
