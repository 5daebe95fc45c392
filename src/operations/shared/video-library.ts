import type { Records } from '../../contract/generated/facts.ts';
import { BoundedMap } from '../../base/bounded-map.ts';
import { filtered, type SlicedWork } from '../../base/sliced-work.ts';
import { findFolders, isBelow, isDirectlyIn } from './video-folders.ts';
import { VideoSearch, type Search } from './video-search.ts';

type Video = Records['videos'];

/** A folder to search, with or without its subfolders. */
interface Place {
  readonly folder: string;
  readonly recursive: boolean;
}

/** The last places are cached, because clients read them page by page. */
const maxCachedPlaces = 16;

/** The videos of a school, indexed so that searching and paging are fast in large libraries. */
export class VideoLibrary {
  readonly videos: readonly Video[];
  /** All folders, sorted by name. */
  readonly folders: readonly string[];
  readonly #known: ReadonlySet<string>;
  /** The direct subfolders by folder. */
  readonly #subfolders = new Map<string, readonly string[]>();
  readonly #places = new BoundedMap<string, readonly Video[]>(maxCachedPlaces);
  readonly #search: VideoSearch;

  constructor(videos: readonly Video[], folders: readonly string[]) {
    this.videos = videos;
    this.folders = folders;
    this.#known = new Set(folders);
    this.#search = new VideoSearch(videos);
  }

  has(folder: string): boolean {
    return folder === '/' || this.#known.has(folder);
  }

  subfolders(folder: string): readonly string[] {
    const known = this.#subfolders.get(folder);
    if (known !== undefined || !this.has(folder)) return known ?? [];
    const found = this.folders.filter((path) => isDirectlyIn(path, folder));
    this.#subfolders.set(folder, found);
    return found;
  }

  /** Returns the videos in a place, or in the whole library if null. */
  *in(place: Place | null): SlicedWork<readonly Video[]> {
    if (place === null) return this.videos;
    const known = this.#places.get(keyOf(place));
    // Requests for missing folders must not fill the cache.
    if (known !== undefined || !this.has(place.folder)) return known ?? [];
    const found = yield* filtered(this.videos, (video) => isIn(place, video));
    this.#places.set(keyOf(place), found);
    return found;
  }

  /** Returns the videos in a place whose titles match. */
  *search(place: Place | null, search: Search): SlicedWork<readonly Video[]> {
    if (place === null) return yield* this.#search.find(search, '', () => true);
    if (!this.has(place.folder)) return [];
    return yield* this.#search.find(search, keyOf(place), (video) => isIn(place, video));
  }

  /** Returns the folders that have a video whose title matches, in themselves or below. */
  *withMatches(folders: readonly string[], search: Search): SlicedWork<readonly string[]> {
    const matching = new Set(yield* findFolders(yield* this.search(null, search)));
    return folders.filter((folder) => matching.has(folder));
  }
}

/** Creates the library of a school's videos. Throws BeyondLimitError. */
export function* libraryOf(videos: readonly Video[]): SlicedWork<VideoLibrary> {
  return new VideoLibrary(videos, yield* findFolders(videos));
}

function isIn({ folder, recursive }: Place, { folderPath }: Video): boolean {
  return folderPath === folder || (recursive && isBelow(folderPath, folder));
}

function keyOf({ folder, recursive }: Place): string {
  return `${recursive ? 'below' : 'in'} ${folder}`;
}
