/** A folder below another one. */
export interface Subfolder {
  readonly path: string;
  readonly name: string;
  /** The number of videos in it and in the folders below it. */
  readonly count: number;
}

/** The folders of a video library. */
export interface Folders<V> {
  /** The videos directly in a folder. */
  videosIn(path: string): readonly V[];
  subfoldersOf(path: string): readonly Subfolder[];
  has(path: string): boolean;
}

/** Groups videos by folder, once for a library of any size. A folder exists if a video is in it or below it. */
export function foldersOf<V extends { readonly folderPath: string }>(videos: readonly V[]): Folders<V> {
  const direct = new Map<string, V[]>();
  for (const video of videos) {
    const list = direct.get(video.folderPath);
    if (list === undefined) direct.set(video.folderPath, [video]);
    else list.push(video);
  }
  const counts = new Map<string, number>([['/', 0]]);
  const below = new Map<string, Set<string>>();
  for (const [path, { length }] of direct) {
    for (const place of [...ancestorsOf(path), path]) counts.set(place, (counts.get(place) ?? 0) + length);
    for (let place = path; place !== '/'; place = parentOf(place)) {
      const siblings = below.get(parentOf(place)) ?? new Set();
      below.set(parentOf(place), siblings.add(place));
    }
  }
  return {
    videosIn: (path) => direct.get(path) ?? [],
    subfoldersOf: (path) =>
      [...(below.get(path) ?? [])]
        .map((place) => ({
          path: place,
          name: place.slice(place.lastIndexOf('/') + 1),
          count: counts.get(place) ?? 0,
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true })),
    has: (path) => counts.has(path),
  };
}

/** Returns the folders that contain a folder, the root first. */
export function ancestorsOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let place = path; place !== '/';) {
    place = parentOf(place);
    found.unshift(place);
  }
  return found;
}

function parentOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}
