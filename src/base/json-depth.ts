import type { SlicedWork } from './sliced-work.ts';

/** Nothing that is sent here needs to be nested nearly this deep, and nothing in the sandbox runs out of stack at it. */
export const deepest = 1000;

/** Whether JSON text is nested deeper than that. */
export function isTooDeep(text: string): boolean {
  // So many brackets that open, and close again, take at least twice as many characters.
  if (text.length <= 2 * deepest) return false;
  const extent = new Extent(text);
  extent.read(text.length);
  return extent.depth > deepest;
}

/** What JSON text may have at most. */
interface Maximum {
  /** Objects, lists and their members. */
  readonly jsonValues: number;
  /** Fields of one object. */
  readonly objectFields: number;
}

/** Finds what JSON text has too much of; null if it is within the maximum. */
export function* findingExcess(text: string, { jsonValues, objectFields }: Maximum): SlicedWork<'depth' | keyof Maximum | null> {
  // So much takes more characters than that.
  if (text.length <= Math.min(2 * deepest, jsonValues, objectFields)) return null;
  const extent = new Extent(text);
  for (let end = atOnce; end < text.length; end += atOnce) {
    extent.read(end);
    if (extent.depth > deepest) return 'depth';
    yield;
  }
  extent.read(text.length);
  if (extent.depth > deepest) return 'depth';
  if (extent.fields > objectFields) return 'objectFields';
  return extent.values > jsonValues ? 'jsonValues' : null;
}

/** How many characters are read before the work may be interrupted: a few milliseconds of it. */
const atOnce = 524_288;

/** Measures JSON text without parsing it, up to where it is nested too deep. Strings do not count. */
class Extent {
  /** How deep brackets nest, whatever they mean. */
  depth = 0;
  values = 1;
  /** The fields of the object that has most. */
  fields = 0;
  readonly #text: string;
  #at = 0;
  #quoted = false;
  /** The fields of each object that is open. */
  readonly #open = [0];

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on up to a place in the text, or a character further. */
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
