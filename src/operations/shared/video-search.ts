import type { OptionOf } from '../../assumptions.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { Titles } from './titles.ts';

type Video = Records['videos'];

/** What titles are searched for, and how. */
export interface Search {
  readonly term: string;
  readonly matching: OptionOf<'filterMatching'>;
}

/** Answers of the last few searches are kept: clients go through their pages. */
const keptSearches = 16;
/** Whoever searches for more does not do it page by page. */
const longestKeptTerm = 200;

/** Finds videos by their titles. */
export class VideoSearch {
  readonly #videos: readonly Video[];
  readonly #found = new Map<string, readonly Video[]>();
  #titles: Titles | null = null;
  #lowerTitles: Titles | null = null;

  constructor(videos: readonly Video[]) {
    this.#videos = videos;
  }

  /** The videos whose titles match, of those that `isThere` says are where somebody searches; `where` is a name of that place. */
  *finding(search: Search, where: string, isThere: (video: Video) => boolean): SlicedWork<readonly Video[]> {
    if (search.term.length > longestKeptTerm) return (yield* this.#matching(search)).filter(isThere);
    const key = JSON.stringify([where, search.matching, search.term]);
    const found = this.#found.get(key) ?? (yield* this.#matching(search)).filter(isThere);
    // The one that was used last stands last, and the first one goes.
    this.#found.delete(key);
    this.#found.set(key, found);
    for (const [oldest] of this.#found) {
      if (this.#found.size <= keptSearches) break;
      this.#found.delete(oldest);
    }
    return found;
  }

  *#matching({ term, matching }: Search): SlicedWork<readonly Video[]> {
    const numbers = yield* this.#numbers(term, matching);
    return numbers.flatMap((number) => this.#videos[number] ?? []);
  }

  *#numbers(term: string, matching: OptionOf<'filterMatching'>): SlicedWork<readonly number[]> {
    if (matching === 'substring') {
      this.#titles ??= yield* Titles.of(this.#videos, ({ videoTitle }) => videoTitle);
      return this.#titles.find(term, 'anywhere');
    }
    this.#lowerTitles ??= yield* Titles.of(this.#videos, ({ videoTitle }) => videoTitle.toLowerCase());
    return this.#lowerTitles.find(term.toLowerCase(), matching === 'prefix' ? 'at the beginning' : 'anywhere');
  }
}
