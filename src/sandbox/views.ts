import type { SlicedWork } from '../base/sliced-work.ts';
import { joined, toWire, type WireText } from '../base/wire-text.ts';
import { everyField, withFields, withFieldsInside, type FieldRule } from './field-rule.ts';

/**
 * Converts a record to its form in a response. `origin` is the address at which the client reached this
 * server, for absolute links.
 */
export type View<R extends object, V extends object> = (record: R, origin: string) => V;

/** Called with the length of each text that is not cached yet. It may throw, which ends the work. */
type Grow = (chars: number) => void;

/** Leaves out fields of a view. */
type Trim = (view: object, rule: FieldRule) => unknown;

/** A list is longer than the largest reply. */
export class ListTooLongError extends Error {}

/** The number of records to convert, or of characters of JSON to write, before the work may be interrupted. */
const sliceLength = 64;
const sliceChars = 262_144;

/**
 * Caches records in their response form, once per record and view, with their JSON as wire text. Responses
 * are assembled from these texts. Records never change in place, so the cached views stay valid.
 */
export class Views {
  readonly #origin: string;
  readonly #maxBytes: number;
  /** Called with the bytes of each cached text. */
  readonly #onText: (bytes: number) => void;
  readonly #rule: FieldRule;
  readonly #made = new WeakMap<object, WeakMap<object, object>>();
  /** Stands for a view of which only the JSON is cached. */
  readonly #tokens = new WeakMap<object, WeakMap<object, object>>();
  readonly #texts = new WeakMap<object, WireText>();

  /** `maxBytes` bounds the text of each list, `rule` says which fields records in a result have. */
  constructor(
    origin: string,
    maxBytes: number,
    onText: (bytes: number) => void = () => {},
    rule: FieldRule = everyField,
  ) {
    this.#origin = origin;
    this.#maxBytes = maxBytes;
    this.#onText = onText;
    this.#rule = rule;
  }

  /** Returns the view of a record that is a whole result. `view` must be the same function every time. */
  readonly show = <R extends object, V extends object>(record: R, view: View<R, V>): V =>
    this.#show(record, view, withFieldsInside);

  /** Does the same as a part of work on many records. */
  readonly showing = <R extends object, V extends object>(
    record: R,
    view: View<R, V>,
    grow: Grow = () => {},
  ): SlicedWork<V> => this.#showing(record, view, grow);

  /**
   * Returns the views of a list, which is cached as a whole: pass the same list while nothing changes. They
   * have no fields, so they can only be written. Throws ListTooLongError.
   */
  readonly showingAll = <R extends object, V extends object>(
    records: readonly R[],
    view: View<R, V>,
    grow: Grow = () => {},
  ): SlicedWork<readonly V[]> => this.#showingAll(records, view, grow);

  /** Does the same for a list that is different in each call, such as a page. */
  readonly showingEach = <R extends object, V extends object>(
    records: readonly R[],
    view: View<R, V>,
    grow: Grow = () => {},
  ): SlicedWork<readonly V[]> => this.#showingEach(records, view, grow);

  /** Returns a list of plain data, and caches its JSON as a whole. Throws ListTooLongError. */
  readonly showingPlain = <L extends readonly unknown[]>(list: L): SlicedWork<L> => this.#showingPlain(list);

  /** Returns the JSON of plain data inside a result. Uses cached texts. */
  text(value: unknown): WireText {
    if (typeof value !== 'object' || value === null) return toWire(JSON.stringify(value));
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return joined(`[${value.map((member) => this.text(member)).join(',')}]`);
    let members = joined('');
    for (const [name, member] of Object.entries(value))
      if (this.#rule(member)) members = withMember(members, name, this.text(member));
    return joined(`{${members}}`);
  }

  /** Returns the JSON of a result with lists of any length. Throws ListTooLongError. */
  *writing(result: unknown, rule = everyField): SlicedWork<WireText> {
    if (typeof result !== 'object' || result === null || this.#texts.has(result)) return this.text(result);
    let members = joined('');
    for (const [name, member] of Object.entries(result)) {
      if (!rule(member)) continue;
      const isNewList = Array.isArray(member) && !this.#texts.has(member);
      members = withMember(members, name, isNewList ? yield* this.#writingList(member) : this.text(member));
    }
    return joined(`{${members}}`);
  }

  #show<R extends object, V extends object>(record: R, view: View<R, V>, trim: Trim): V {
    const made = madeBy(this.#made, view);
    const known = made.get(record);
    // Only the same view sets this key, so its value is a V.
    if (known !== undefined) return known as V;
    const fresh = Object.freeze(this.#trimmed(view(record, this.#origin), trim));
    made.set(record, fresh);
    this.#remember(fresh, toWire(JSON.stringify(fresh)));
    return fresh;
  }

  #trimmed<V extends object>(shown: V, trim: Trim): V {
    // The fields that a result must have are never left out, so it is still a V.
    return this.#rule === everyField ? shown : (trim(shown, this.#rule) as V);
  }

  *#showing<R extends object, V extends object>(record: R, view: View<R, V>, grow: Grow): SlicedWork<V> {
    if (madeBy(this.#made, view).has(record)) return this.#show(record, view, withFields);
    const shown = this.#show(record, view, withFields);
    const { length } = this.text(shown);
    grow(length);
    if (length > sliceChars) yield;
    return shown;
  }

  *#showingAll<R extends object, V extends object>(
    records: readonly R[],
    view: View<R, V>,
    grow: Grow,
  ): SlicedWork<readonly V[]> {
    const made = madeBy(this.#made, view);
    const known = made.get(records);
    // Only the same view sets this key, for the same list.
    if (known !== undefined) return known as readonly V[];
    const list = Object.freeze(yield* this.#showingEach(records, view, grow));
    made.set(records, yield* this.#showingPlain(list));
    return list;
  }

  *#showingEach<R extends object, V extends object>(
    records: readonly R[],
    view: View<R, V>,
    grow: Grow,
  ): SlicedWork<readonly V[]> {
    const shown: V[] = [];
    const size = new Size(this.#maxBytes);
    const tokens = madeBy(this.#tokens, view);
    for (const record of records) {
      let token = tokens.get(record);
      if (token === undefined) {
        token = Object.freeze({});
        const text = toWire(JSON.stringify(this.#trimmed(view(record, this.#origin), withFields)));
        grow(text.length);
        tokens.set(record, token);
        this.#remember(token, text);
      }
      // Only its JSON is used. Views take up several times its memory.
      shown.push(token as V);
      if (size.add(this.text(token))) yield;
    }
    return shown;
  }

  *#showingPlain<L extends readonly unknown[]>(list: L): SlicedWork<L> {
    if (!this.#texts.has(list)) this.#remember(list, yield* this.#writingList(list));
    return list;
  }

  *#writingList(list: readonly unknown[]): SlicedWork<WireText> {
    const slices: string[] = [];
    const size = new Size(this.#maxBytes);
    let texts: WireText[] = [];
    for (const member of list) {
      const text = this.#isLong(member) ? yield* this.writing(member, this.#rule) : this.text(member);
      texts.push(text);
      if (!size.add(text)) continue;
      slices.push(texts.join(','));
      texts = [];
      yield;
    }
    if (texts.length > 0) slices.push(texts.join(','));
    return joined(`[${slices.join(',')}]`);
  }

  /** Returns whether a value has a list that must be written in slices. */
  #isLong(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || this.#texts.has(value)) return false;
    return Object.values(value).some((member) => Array.isArray(member) && member.length > sliceLength);
  }

  #remember(value: object, text: WireText): void {
    this.#texts.set(value, text);
    this.#onText(overheadBytes + text.length);
  }
}

function madeBy(all: WeakMap<object, WeakMap<object, object>>, view: object): WeakMap<object, object> {
  const made = all.get(view) ?? new WeakMap<object, object>();
  all.set(view, made);
  return made;
}

/** The size of a list while its members are written. */
class Size {
  readonly #maxBytes: number;
  #bytes = 0;
  #members = 0;
  #sliceChars = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a member. Returns whether the work may be interrupted now. Throws ListTooLongError. */
  add({ length }: WireText): boolean {
    this.#bytes += length + 1;
    if (this.#bytes > this.#maxBytes) throw new ListTooLongError();
    this.#members += 1;
    this.#sliceChars += length;
    if (this.#sliceChars < sliceChars && this.#members % sliceLength !== 0) return false;
    this.#sliceChars = 0;
    return true;
  }
}

function withMember(members: WireText, name: string, text: WireText): WireText {
  return joined(`${members}${members === '' ? '' : ','}${toWire(JSON.stringify(name))}:${text}`);
}

/** The approximate memory of a cached view without its text. */
const overheadBytes = 300;
