import type { OptionOf } from '../../assumptions.ts';
import type { Records } from '../../contract/generated/facts.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { Titles } from './titles.ts';

type Video = Records['videos'];

/** The text to find in titles, and how. */
export interface Search {
  readonly term: string;
  readonly matching: OptionOf<'filterMatching'>;
}

/** The results of the last searches are cached, because clients read them page by page. */
const maxCachedSearches = 16;
/** Longer terms are not cached, to bound the memory. */
const maxCachedTermChars = 200;

/** Finds videos by their titles. */
export class VideoSearch {
  readonly #videos: readonly Video[];
  readonly #found = new Map<string, readonly Video[]>();
  #titles: Titles | null = null;
  #lowerTitles: Titles | null = null;

  constructor(videos: readonly Video[]) {
    this.#videos = videos;
  }

  /** Returns the matching videos in a place. `isThere` returns whether a video is in the place, and `where` identifies the place. */
  *finding(search: Search, where: string, isThere: (video: Video) => boolean): SlicedWork<readonly Video[]> {
    if (search.term.length > maxCachedTermChars) return (yield* this.#matching(search)).filter(isThere);
    const key = JSON.stringify([where, search.matching, search.term]);
    const found = this.#found.get(key) ?? (yield* this.#matching(search)).filter(isThere);
    // The most recently used search is last; the first one is evicted.
    this.#found.delete(key);
    this.#found.set(key, found);
    for (const [oldest] of this.#found) {
      if (this.#found.size <= maxCachedSearches) break;
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
