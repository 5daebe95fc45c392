import type { CallContext } from './call-context.ts';
import type { Refusal } from './refusal.ts';
import { outputText } from './respond.ts';
import type { Outcome } from './run.ts';
import { ListTooLongError } from '../sandbox/views.ts';
import { beyondLimit, noRoom, NoRoomError } from './server-limit.ts';

/** Replies up to this size need no reservation. Larger ones reserve memory in steps of this size. */
const stepBytes = 1_048_576;

/** Bounds the size of a reply while its outputs are created. */
export class ReplySize {
  readonly #context: CallContext;
  readonly #limit: 'replyBytes' | 'editedReplyBytes';
  #bytes = 0;
  /** Bytes that the current element shows, and that are not in its output yet. */
  #shownBytes = 0;
  readonly #elements: number;

  /** `elements` is the number of elements of the call. */
  constructor(context: CallContext, limit: 'replyBytes' | 'editedReplyBytes', elements: number) {
    this.#context = context;
    this.#limit = limit;
    this.#elements = elements;
  }

  /**
   * Counts text of the current element while it is created. Throws ListTooLongError if the reply becomes too
   * large, and NoRoomError if the server has no room for it.
   */
  readonly grow = (bytes: number): void => {
    this.#shownBytes += bytes;
    const total = this.#bytes + this.#shownBytes;
    if (total > this.#context.sandbox.caps[this.#limit]) throw new ListTooLongError();
    if (!this.#reserve(total)) throw new NoRoomError('repliesInFlightBytes');
  };

  /**
   * Adds the output of an element. Returns a refusal of the whole call if the reply becomes too large, else
   * null.
   */
  add(outcome: Outcome): Refusal | null {
    const { caps } = this.#context.sandbox;
    this.#shownBytes = 0;
    this.#bytes += outcome.ok
      ? outcome.text.length + wrapperBytes
      : outputText(this.#context, outcome).length + 1;
    this.#context.outcomeBytes = this.#bytes;
    if (this.#bytes > caps[this.#limit]) return this.refusal();
    if (this.#reserve(this.#bytes)) return null;
    return noRoom('repliesInFlightBytes', this.#context.shortageOf('repliesInFlightBytes'));
  }

  /** Reserves memory for a reply. Returns false if the server has no room for it. */
  #reserve(bytes: number): boolean {
    while (bytes - this.#context.reservedBytes > stepBytes)
      if (!this.#context.reserve(stepBytes)) return false;
    return true;
  }

  /** Returns the refusal for a reply that is too large. */
  refusal(): Refusal {
    const { caps } = this.#context.sandbox;
    const why = this.#limit === 'replyBytes' ? '' : ' with a fault that changes its outputs';
    const what = `The response${why} would be larger than ${caps[this.#limit]} bytes. The call had no effect.`;
    const advice =
      this.#elements > 1
        ? 'Send fewer elements per call.'
        : 'A single element needs smaller records, or fewer of them.';
    return beyondLimit(caps, this.#limit, what, advice);
  }
}

/** The length of the text around the result of an element. */
const wrapperBytes = '{"output":{"status":"ok","data":}},'.length;
