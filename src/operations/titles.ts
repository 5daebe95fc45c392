/** Stands between titles, and in hardly any. */
const separator = '\u0000';

/** Many titles as one text: looking through it takes a fraction of the time that looking at each takes. */
export class Titles {
  readonly #titles: readonly string[];
  readonly #text: string;
  /** Where each begins in the text. */
  readonly #starts: Uint32Array;

  constructor(titles: readonly string[]) {
    this.#titles = titles;
    this.#text = `${separator}${titles.join(separator)}${separator}`;
    this.#starts = new Uint32Array(titles.length);
    let start = 1;
    for (const [number, title] of titles.entries()) {
      this.#starts[number] = start;
      start += title.length + 1;
    }
  }

  /** The numbers of the titles that have the text: anywhere in them, or at their beginning. */
  find(wanted: string, where: 'anywhere' | 'at the beginning'): readonly number[] {
    const test = where === 'anywhere' ? 'includes' : 'startsWith';
    if (wanted.includes(separator)) return this.#titles.flatMap((title, number) => (title[test](wanted) ? [number] : []));
    const sought = where === 'anywhere' ? wanted : `${separator}${wanted}`;
    const found: number[] = [];
    let number = 0;
    for (let at = this.#text.indexOf(sought); at >= 0; at = this.#text.indexOf(sought, this.#end(number - 1))) {
      const place = at + sought.length - wanted.length;
      while (number < this.#titles.length && this.#end(number) < place) number += 1;
      if (number === this.#titles.length) break;
      // A separator inside a title is no beginning of one.
      if (where === 'anywhere' || place === this.#starts[number]) found.push(number);
      number += 1;
    }
    return found;
  }

  /** Where the separator behind a title is. */
  #end(number: number): number {
    return (this.#starts[number] ?? 0) + (this.#titles[number]?.length ?? 0);
  }
}
