import type { Records } from '../../contract/generated/facts.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { findingFolders, isBelow, isDirectlyIn } from './video-folders.ts';
import { VideoSearch, type Search } from './video-search.ts';

type Video = Records['videos'];

/** Where to search: in a folder, with its subfolders or without. */
interface Place {
  readonly folder: string;
  readonly recursive: boolean;
}

/** The videos of a school, arranged so that searching and paging stay fast in large libraries. */
export class VideoLibrary {
  readonly videos: readonly Video[];
  /** All folders, in order of their names. */
  readonly folders: readonly string[];
  readonly #known: ReadonlySet<string>;
  /** Folders directly in another. */
  readonly #subfolders = new Map<string, readonly string[]>();
  readonly #places = new Map<string, readonly Video[]>();
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

  /** The videos of a place; of the whole library where it is null. */
  in(place: Place | null): readonly Video[] {
    if (place === null) return this.videos;
    const known = this.#places.get(keyOf(place));
    // What is asked of a folder that is not there would be kept for nothing.
    if (known !== undefined || !this.has(place.folder)) return known ?? [];
    const found = this.videos.filter((video) => isIn(place, video));
    this.#places.set(keyOf(place), found);
    return found;
  }

  /** The videos of a place whose titles match. */
  *searching(place: Place | null, search: Search): SlicedWork<readonly Video[]> {
    if (place === null) return yield* this.#search.finding(search, '', () => true);
    if (!this.has(place.folder)) return [];
    return yield* this.#search.finding(search, keyOf(place), (video) => isIn(place, video));
  }
}

/** Made from a school's list of videos, which stays the same one while nothing in it changes. Throws BeyondLimitError. */
export function* libraryOf(videos: readonly Video[]): SlicedWork<VideoLibrary> {
  return new VideoLibrary(videos, yield* findingFolders(videos));
}

function isIn({ folder, recursive }: Place, { folderPath }: Video): boolean {
  return folderPath === folder || (recursive && isBelow(folderPath, folder));
}

function keyOf({ folder, recursive }: Place): string {
  return `${recursive ? 'below' : 'in'} ${folder}`;
}
