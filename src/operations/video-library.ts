import type { OptionOf } from '../assumptions.ts';
import type { Records } from '../contract/generated/facts.ts';
import { Titles } from './titles.ts';
import { foldersOf, isBelow, isDirectlyIn } from './video-folders.ts';

type Video = Records['videos'];

/** How titles are searched. */
interface Search {
  readonly term: string;
  readonly matching: OptionOf<'filterMatching'>;
}

/** Where to search: in a folder, with its subfolders or without. */
interface Place {
  readonly folder: string;
  readonly recursive: boolean;
}

/** Answers of the last few searches are kept: clients go through their pages. */
const keptSearches = 16;
/** Longer terms are kept by nobody's client. */
const longestKeptTerm = 200;

/** The videos of a school, arranged so that searching and paging stay fast in large libraries. */
export class VideoLibrary {
  readonly videos: readonly Video[];
  /** All folders, in order of their names. */
  readonly folders: readonly string[];
  readonly #known: ReadonlySet<string>;
  /** Folders directly in another. */
  readonly #subfolders = new Map<string, readonly string[]>();
  readonly #places = new Map<string, readonly Video[]>();
  readonly #found = new Map<string, readonly Video[]>();
  #titles: Titles | null = null;
  #lowerTitles: Titles | null = null;

  constructor(videos: readonly Video[]) {
    this.videos = videos;
    this.folders = foldersOf(videos);
    this.#known = new Set(this.folders);
  }

  has(folder: string): boolean {
    return folder === '/' || this.#known.has(folder);
  }

  subfolders(folder: string): readonly string[] {
    return remembered(this.#subfolders, folder, () => this.folders.filter((path) => isDirectlyIn(path, folder)));
  }

  /** The videos of a place; of the whole library where it is null. */
  in(place: Place | null): readonly Video[] {
    if (place === null) return this.videos;
    // What is asked of a folder that is not there would be kept for nothing.
    if (!this.has(place.folder)) return [];
    return remembered(this.#places, keyOf(place), () => this.videos.filter((video) => isIn(place, video)));
  }

  /** The videos of a place whose titles match. */
  search(place: Place | null, { term, matching }: Search): readonly Video[] {
    if (term.length > longestKeptTerm) return this.#matching(place, term, matching);
    const key = `${place === null ? '' : keyOf(place)}\n${matching}\n${term}`;
    const known = this.#found.get(key);
    const found = known ?? this.#matching(place, term, matching);
    // The one that was used last stands last, and the first one goes.
    this.#found.delete(key);
    this.#found.set(key, found);
    for (const [oldest] of this.#found) {
      if (this.#found.size <= keptSearches) break;
      this.#found.delete(oldest);
    }
    return found;
  }

  #matching(place: Place | null, term: string, matching: OptionOf<'filterMatching'>): readonly Video[] {
    const found = this.#numbers(term, matching).flatMap((number) => this.videos[number] ?? []);
    return place === null ? found : found.filter((video) => isIn(place, video));
  }

  #numbers(term: string, matching: OptionOf<'filterMatching'>): readonly number[] {
    if (matching === 'substring') {
      this.#titles ??= new Titles(this.videos.map(({ videoTitle }) => videoTitle));
      return this.#titles.find(term, 'anywhere');
    }
    this.#lowerTitles ??= new Titles(this.videos.map(({ videoTitle }) => videoTitle.toLowerCase()));
    return this.#lowerTitles.find(term.toLowerCase(), matching === 'prefix' ? 'at the beginning' : 'anywhere');
  }
}

/** Made from a school's list of videos, which stays the same one while nothing in it changes. */
export function libraryOf(videos: readonly Video[]): VideoLibrary {
  return new VideoLibrary(videos);
}

function isIn({ folder, recursive }: Place, { folderPath }: Video): boolean {
  return folderPath === folder || (recursive && isBelow(folderPath, folder));
}

function keyOf({ folder, recursive }: Place): string {
  return `${recursive ? 'below' : 'in'} ${folder}`;
}

function remembered<T>(made: Map<string, T>, key: string, make: () => T): T {
  const known = made.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}
