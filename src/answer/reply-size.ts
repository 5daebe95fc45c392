import type { CallContext } from './call-context.ts';
import type { Refusal } from './refusal.ts';
import { outputText } from './respond.ts';
import type { Outcome } from './run.ts';
import { beyondLimit, noRoom } from './server-limit.ts';

/** Replies up to this size are not counted among the large ones, in bytes. What is counted is taken in such steps. */
const stepBytes = 1_048_576;

/** Bounds the reply to a call while it is being made. */
export class ReplySize {
  readonly #context: CallContext;
  readonly #limit: 'replyBytes' | 'editedReplyBytes';
  #bytes = 0;

  constructor(context: CallContext, limit: 'replyBytes' | 'editedReplyBytes') {
    this.#context = context;
    this.#limit = limit;
  }

  /** Adds the output of an element; the refusal of the whole call if the reply becomes too large. */
  add(outcome: Outcome): Refusal | null {
    const { caps } = this.#context.sandbox;
    this.#bytes += outcome.ok ? outcome.text.length + wrapping : outputText(this.#context, outcome).length + 1;
    this.#context.outcomeBytes = this.#bytes;
    if (this.#bytes > caps[this.#limit]) return this.refusal();
    while (this.#bytes - this.#context.reservedBytes > stepBytes) {
      if (!this.#context.reserve(stepBytes)) return noRoom(caps, 'repliesInFlightBytes');
    }
    return null;
  }

  /** Refuses the call because its reply is too large. */
  refusal(): Refusal {
    const { caps } = this.#context.sandbox;
    const why = this.#limit === 'replyBytes' ? '' : ' with a fault that changes its outputs';
    const what = `The reply${why} would be larger than ${caps[this.#limit]} bytes. Nothing of the call took effect.`;
    return beyondLimit(caps, this.#limit, what, 'Send fewer elements per call.');
  }
}

/** What surrounds the result of an element in a reply. */
const wrapping = '{"output":{"status":"ok","data":}},'.length;
