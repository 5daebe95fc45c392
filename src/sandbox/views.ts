import { toWire, type WireText } from './wire-text.ts';

/** How a record looks in an answer. `origin` is where the client reached this server, for absolute links. */
export type View<R extends object, V extends object> = (record: R, origin: string) => V;

/**
 * What records look like in answers, made once per record and view. Records never change in place, so neither do these; each
 * has its JSON beside it, as it goes over the wire, and an answer is put together from such texts.
 */
export class Views {
  readonly #origin: string;
  readonly #made = new WeakMap<object, WeakMap<object, object>>();
  readonly #texts = new WeakMap<object, WireText>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The record under the view; the view must be the same function every time. */
  readonly show = <R extends object, V extends object>(record: R, view: View<R, V>): V =>
    this.#remembered(view, record, () => view(record, this.#origin));

  /** The same for a list, which is remembered as a whole: give a list that stays the same one while nothing changes. */
  readonly showAll = <R extends object, V extends object>(records: readonly R[], view: View<R, V>): readonly V[] =>
    this.#remembered(view, records, () => records.map((record) => this.show(record, view)));

  /** The JSON of plain data, from remembered texts where there are some. */
  text(value: unknown): WireText {
    if (typeof value !== 'object' || value === null) return toWire(JSON.stringify(value));
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return `[${value.map((member) => this.text(member)).join(',')}]`;
    let members = '';
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined) members += `${members === '' ? '' : ','}${toWire(JSON.stringify(name))}:${this.text(member)}`;
    }
    return `{${members}}`;
  }

  #remembered<V extends object>(view: object, subject: object, make: () => V): V {
    let made = this.#made.get(view);
    if (made === undefined) this.#made.set(view, (made = new WeakMap()));
    // Only `make` of the same view and subject ever writes this slot, so what is in it is a V.
    const known = made.get(subject) as V | undefined;
    if (known !== undefined) return known;
    const fresh = Object.freeze(make());
    made.set(subject, fresh);
    this.#texts.set(fresh, this.text(fresh));
    return fresh;
  }
}

/** Origins whose views are kept; a client that makes up Host headers must not fill the memory. */
const keptOrigins = 8;

/** The views of one sandbox, by origin. */
export class ViewsByOrigin {
  readonly #views = new Map<string, Views>();

  from(origin: string): Views {
    const known = this.#views.get(origin);
    if (known !== undefined) return known;
    if (this.#views.size >= keptOrigins) this.#views.clear();
    const fresh = new Views(origin);
    this.#views.set(origin, fresh);
    return fresh;
  }
}
