import type { SlicedWork } from '../base/sliced-work.ts';
import type { ViewMemory } from './view-memory.ts';
import { joined, toWire, type WireText } from '../base/wire-text.ts';

/** How a record looks in an answer. `origin` is where the client reached this server, for absolute links. */
export type View<R extends object, V extends object> = (record: R, origin: string) => V;

/** A list is longer than the largest reply. */
export class ListTooLongError extends Error {}

/** How many records are shown before the work may be interrupted. */
const atOnce = 64;

/**
 * What records look like in answers, made once per record and view. Records never change in place, so neither do these; each
 * has its JSON beside it, as it goes over the wire, and an answer is put together from such texts.
 */
export class Views {
  readonly #origin: string;
  readonly #maxBytes: number;
  /** Told of the bytes of each text that is remembered. */
  readonly #onText: (bytes: number) => void;
  readonly #made = new WeakMap<object, WeakMap<object, object>>();
  readonly #texts = new WeakMap<object, WireText>();

  /** The text of no list has more than `maxBytes`. */
  constructor(origin: string, maxBytes: number, onText: (bytes: number) => void = () => {}) {
    this.#origin = origin;
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  /** The record under the view; the view must be the same function every time. */
  readonly show = <R extends object, V extends object>(record: R, view: View<R, V>): V => {
    const made = this.#madeBy(view);
    const known = made.get(record);
    // Only the same view ever writes this slot, so what is in it is a V.
    if (known !== undefined) return known as V;
    const fresh = Object.freeze(view(record, this.#origin));
    made.set(record, fresh);
    this.#remember(fresh, this.text(fresh));
    return fresh;
  };

  /**
   * The same for a list, which is remembered as a whole: give a list that stays the same one while nothing changes. Throws
   * ListTooLongError.
   */
  readonly showingAll = <R extends object, V extends object>(records: readonly R[], view: View<R, V>): SlicedWork<readonly V[]> =>
    this.#showingAll(records, view);

  /** The JSON of plain data, from remembered texts if there are any. */
  text(value: unknown): WireText {
    if (typeof value !== 'object' || value === null) return toWire(JSON.stringify(value));
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return joined(`[${value.map((member) => this.text(member)).join(',')}]`);
    let members = joined('');
    for (const [name, member] of Object.entries(value)) if (member !== undefined) members = withMember(members, name, this.text(member));
    return joined(`{${members}}`);
  }

  /** The JSON of a result, however long its lists are. Throws ListTooLongError. */
  *writing(result: unknown): SlicedWork<WireText> {
    if (typeof result !== 'object' || result === null || this.#texts.has(result)) return this.text(result);
    let members = joined('');
    for (const [name, member] of Object.entries(result)) {
      if (member === undefined) continue;
      const isNewList = Array.isArray(member) && !this.#texts.has(member);
      members = withMember(members, name, isNewList ? yield* this.#writingList(member) : this.text(member));
    }
    return joined(`{${members}}`);
  }

  *#showingAll<R extends object, V extends object>(records: readonly R[], view: View<R, V>): SlicedWork<readonly V[]> {
    const made = this.#madeBy(view);
    const known = made.get(records);
    // Only the same view ever writes this slot, for the same list.
    if (known !== undefined) return known as readonly V[];
    const shown: V[] = [];
    for (const record of records) {
      shown.push(this.show(record, view));
      if (shown.length % atOnce === 0) yield;
    }
    const list = Object.freeze(shown);
    this.#remember(list, yield* this.#writingList(list));
    made.set(records, list);
    return list;
  }

  *#writingList(list: readonly unknown[]): SlicedWork<WireText> {
    let members = '';
    for (let start = 0; start < list.length; start += atOnce) {
      if (start > 0) yield;
      const texts: WireText[] = [];
      for (const member of list.slice(start, start + atOnce))
        texts.push(this.#isLong(member) ? yield* this.writing(member) : this.text(member));
      const some = texts.join(',');
      members = members === '' ? some : `${members},${some}`;
      if (members.length > this.#maxBytes) throw new ListTooLongError();
    }
    return joined(`[${members}]`);
  }

  /** Whether a list in it is so long that writing it takes time. */
  #isLong(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || this.#texts.has(value)) return false;
    return Object.values(value).some((member) => Array.isArray(member) && member.length > atOnce);
  }

  #remember(value: object, text: WireText): void {
    this.#texts.set(value, text);
    this.#onText(perText + text.length);
  }

  #madeBy(view: object): WeakMap<object, object> {
    const made = this.#made.get(view) ?? new WeakMap<object, object>();
    this.#made.set(view, made);
    return made;
  }
}

function withMember(members: WireText, name: string, text: WireText): WireText {
  return joined(`${members}${members === '' ? '' : ','}${toWire(JSON.stringify(name))}:${text}`);
}

/** What a view and the places of its text take up beside the text; about, in bytes. */
const perText = 300;

/** Origins whose views are kept; a client that makes up Host headers must not fill the memory. */
const keptOrigins = 8;

/** The views of one sandbox, by origin. */
export class ViewsByOrigin {
  readonly #maxBytes: number;
  readonly #memory: ViewMemory;
  readonly #views = new Map<string, Views>();

  constructor(maxBytes: number, memory: ViewMemory) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  from(origin: string): Views {
    const known = this.#views.get(origin);
    if (known !== undefined) return known;
    if (this.#views.size >= keptOrigins) this.end();
    const fresh = new Views(origin, this.#maxBytes, (bytes) => this.#memory.grow(this, bytes));
    this.#views.set(origin, fresh);
    return fresh;
  }

  /** The memory is needed for others. */
  forget(): void {
    this.#views.clear();
  }

  /** Forgets all, and frees the memory. */
  end(): void {
    this.forget();
    this.#memory.remove(this);
  }
}
