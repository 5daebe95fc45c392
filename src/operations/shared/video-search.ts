import type { OptionOf } from '../../assumptions.ts';
import type { Records } from '../../contract/generated/facts.ts';
import { filtered, type SlicedWork } from '../../base/sliced-work.ts';
import { BoundedMap } from '../../base/bounded-map.ts';
import { TextFinder } from '../../base/text-finder.ts';

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

/** The length of titles after which the work may be interrupted: that of 1,000 titles of the usual length. */
const sliceChars = 64_000;
/** What a title costs in addition to its length, in characters. */
const charsPerTitle = 32;

/** Finds videos by their titles. */
export class VideoSearch {
  readonly #videos: readonly Video[];
  readonly #found = new BoundedMap<string, readonly Video[]>(maxCachedSearches);

  constructor(videos: readonly Video[]) {
    this.#videos = videos;
  }

  /**
   * Returns the matching videos in a place. `isThere` returns whether a video is in the place, and `where`
   * identifies the place.
   */
  *find(search: Search, where: string, isThere: (video: Video) => boolean): SlicedWork<readonly Video[]> {
    if (search.term.length > maxCachedTermChars) return yield* this.#matchingThere(search, isThere);
    const key = JSON.stringify([where, search.matching, search.term]);
    const found = this.#found.get(key) ?? (yield* this.#matchingThere(search, isThere));
    // Also for a known one: the search that was used longest ago is evicted.
    this.#found.set(key, found);
    return found;
  }

  *#matchingThere(search: Search, isThere: (video: Video) => boolean): SlicedWork<readonly Video[]> {
    return yield* filtered(yield* this.#matching(search), isThere);
  }

  *#matching(search: Search): SlicedWork<readonly Video[]> {
    const matches = matcherOf(search);
    const found: Video[] = [];
    let chars = 0;
    for (const video of this.#videos) {
      if (matches(video.videoTitle)) found.push(video);
      chars += video.videoTitle.length + charsPerTitle;
      if (chars < sliceChars) continue;
      chars = 0;
      yield;
    }
    return found;
  }
}

function matcherOf({ term, matching }: Search): (title: string) => boolean {
  if (matching === 'substring') {
    const finder = new TextFinder(term);
    return (title) => finder.isIn(title);
  }
  const lowerTerm = term.toLowerCase();
  if (matching === 'prefix') return (title) => title.toLowerCase().startsWith(lowerTerm);
  const finder = new TextFinder(lowerTerm);
  return (title) => finder.isIn(title.toLowerCase());
}
