import { groupBy } from '../../base/group-by.ts';
import { masked } from '../../sandbox/secrets.ts';
import { isInPublicWord } from '../key-mask/public-words.ts';
import { beginningOf, shortestSecret, type Form } from './secret-forms.ts';

/** The maximum cost of the comparisons with one text: the length of each form, and a part that is the same for all. */
const maxCost = 10_000_000;
const costOfOne = 16;

/** A place in a text, and the index of the form there. */
interface Occurrence {
  readonly at: number;
  readonly index: number;
}

/** Finds many secrets in one pass through a text: those that begin at each place are found by their first characters. */
export class ManyForms {
  readonly #forms: readonly Form[];
  readonly #byBeginning: ReadonlyMap<string, readonly number[]>;
  /** Whether a form begins with two characters, by the last bits of their codes. */
  readonly #pairs = new Uint8Array(65_536);

  /** `forms` are at least as long as the shortest secret, the longest first. */
  constructor(forms: readonly Form[]) {
    this.#forms = forms;
    this.#byBeginning = groupBy([...forms.keys()], (index) => beginningOf(forms[index]?.[0] ?? ''));
    for (const beginning of this.#byBeginning.keys()) this.#pairs[pairAt(beginning, 0)] = 1;
  }

  /** Returns the forms of which a text contains at least the beginning, the longest first. */
  candidatesIn(text: string): readonly Form[] {
    const found = new Set<number>();
    this.#visit(text, (_, indexes) => {
      for (const index of indexes) found.add(index);
      return true;
    });
    return found.size === 0 ? [] : this.#forms.filter((_, index) => found.has(index));
  }

  /** Returns how the longest form in a text is shown, or null if it contains none. */
  shownIn(text: string): string | null {
    const found = this.#occurrencesIn(text);
    if (found === null) return masked(text);
    const longest = found.reduce((least, { index }) => Math.min(least, index), Infinity);
    return this.#forms[longest]?.[1] ?? null;
  }

  /**
   * Masks every form in a text, the longest first. A text that repeats the beginnings of many forms very often is
   * masked as a whole.
   */
  maskIn(text: string): string {
    const all = this.#occurrencesIn(text);
    if (all === null) return masked(text);
    const found = all.filter(
      ({ at, index }) => !isInPublicWord(text, at, at + (this.#forms[index]?.[0].length ?? 0)),
    );
    if (found.length === 0) return text;
    let shown = '';
    let done = 0;
    for (const { at, index } of apart(found, this.#forms)) {
      const [form, mask] = this.#forms[index] ?? ['', ''];
      shown += text.slice(done, at) + mask;
      done = at + form.length;
    }
    return shown + text.slice(done);
  }

  /** Returns all occurrences; null if the search would take too long. */
  #occurrencesIn(text: string): readonly Occurrence[] | null {
    const found: Occurrence[] = [];
    let cost = 0;
    const isWhole = this.#visit(text, (at, indexes) => {
      for (const index of indexes) {
        const [form] = this.#forms[index] ?? [''];
        cost += costOfOne + form.length;
        if (cost > maxCost) return false;
        if (text.startsWith(form, at)) found.push({ at, index });
      }
      return true;
    });
    return isWhole ? found : null;
  }

  /** Calls back with each place at which forms may begin, until it returns false. Returns whether it never did. */
  #visit(text: string, visit: (at: number, indexes: readonly number[]) => boolean): boolean {
    for (let at = 0; at + shortestSecret <= text.length; at += 1) {
      if (this.#pairs[pairAt(text, at)] === 0) continue;
      const indexes = this.#byBeginning.get(text.slice(at, at + shortestSecret));
      if (indexes !== undefined && !visit(at, indexes)) return false;
    }
    return true;
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

/** Of overlapping occurrences, the longest one counts, then the first one. Returns them in order. */
function apart(found: readonly Occurrence[], forms: readonly Form[]): readonly Occurrence[] {
  const end = found.reduce((last, { at, index }) => Math.max(last, at + (forms[index]?.[0].length ?? 0)), 0);
  const isTaken = new Uint8Array(end);
  const kept: Occurrence[] = [];
  for (const one of found.toSorted((a, b) => a.index - b.index || a.at - b.at)) {
    const last = one.at + (forms[one.index]?.[0].length ?? 0) - 1;
    // What is taken is at least as long, so it covers an end.
    if (isTaken[one.at] === 1 || isTaken[last] === 1) continue;
    isTaken.fill(1, one.at, last + 1);
    kept.push(one);
  }
  return kept.toSorted((one, other) => one.at - other.at);
}
