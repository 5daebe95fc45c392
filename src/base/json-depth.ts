import type { SlicedWork } from './sliced-work.ts';

/**
 * The maximum nesting depth of JSON: far more than a request needs, and safe for the recursive functions of
 * the sandbox.
 */
export const deepest = 1000;

/** Returns whether JSON text is nested deeper than `deepest`. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters: an opening and a closing bracket.
  if (text.length <= 2 * deepest) return false;
  const extent = new Extent(text);
  extent.read(text.length);
  return extent.depth > deepest;
}

/** Returns the number of objects, lists and their members in JSON text, up to the maximum depth. */
export function valuesIn(text: string): number {
  const extent = new Extent(text);
  extent.read(text.length);
  return extent.values;
}

/** The maximum size of JSON text. */
interface Maximum {
  /** Objects, lists and their members. */
  readonly jsonValues: number;
  /** Fields of one object. */
  readonly objectFields: number;
}

/** Returns whether JSON text is too short to exceed any bound. */
export function isWithinAll({ length }: string, { jsonValues, objectFields }: Maximum): boolean {
  return length <= Math.min(2 * deepest, jsonValues, objectFields);
}

/** Returns the bound that JSON text exceeds, or null. */
export function* findExcess(text: string, max: Maximum): SlicedWork<'depth' | keyof Maximum | null> {
  if (isWithinAll(text, max)) return null;
  const extent = new Extent(text);
  for (let end = sliceLength; end < text.length; end += sliceLength) {
    extent.read(end);
    if (extent.depth > deepest) return 'depth';
    yield;
  }
  extent.read(text.length);
  if (extent.depth > deepest) return 'depth';
  if (extent.fields > max.objectFields) return 'objectFields';
  return extent.values > max.jsonValues ? 'jsonValues' : null;
}

/** The characters read before the work may be interrupted: they take a few milliseconds, even before V8 has compiled the loop. */
const sliceLength = 65_536;

/** Measures JSON text without parsing it. Stops if it is nested too deep; ignores the contents of strings. */
class Extent {
  /** The maximum depth of brackets of both kinds. */
  depth = 0;
  values = 1;
  /** The number of fields in the largest object. */
  fields = 0;
  readonly #text: string;
  #at = 0;
  #quoted = false;
  /** The number of fields in each open object. */
  readonly #open = [0];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on up to a position, or one character further. */
  read(end: number): void {
    const text = this.#text;
    const open = this.#open;
    let at = this.#at;
    let quoted = this.#quoted;
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (quoted) {
        if (code === 92) at += 1;
        else if (code === 34) quoted = false;
      } else if (code === 34) quoted = true;
      else if (code === 44) this.values += 1;
      else if (code === 58) {
        const own = (open.at(-1) ?? 0) + 1;
        open[open.length - 1] = own;
        if (own > this.fields) this.fields = own;
      } else if (code === 91 || code === 123) {
        this.values += 1;
        if (open.push(0) - 1 > this.depth) this.depth = open.length - 1;
        if (this.depth > deepest) break;
      } else if ((code === 93 || code === 125) && open.length > 1) open.pop();
    }
    this.#at = at;
    this.#quoted = quoted;
  }
}
