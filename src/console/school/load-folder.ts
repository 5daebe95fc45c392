import { contentOf, fillPath, send, type Schemas } from '../api.ts';
import type { School } from './school.ts';

/** A folder directly in another one. */
export interface Subfolder {
  readonly path: string;
  readonly name: string;
  /** The number of videos in it and in the folders below it. */
  readonly count: number;
}

/** A folder of the video library. */
interface Folder {
  /** The number of videos in it and in the folders below it. */
  readonly count: number;
  /** Sorted by name. */
  readonly subfolders: readonly Subfolder[];
}

/** Loads a folder of the video library, without its videos. */
export async function loadFolder(
  { sandbox: sandboxId, slug }: Pick<School, 'sandbox' | 'slug'>,
  folder: string,
): Promise<Folder> {
  const query = new URLSearchParams({ school: slug, folder }).toString();
  const path = fillPath('/control/sandboxes/{sandboxId}/video-folders', { sandboxId });
  const { videos, folders } = await contentOf<Schemas['VideoFolder']>(await send('get', `${path}?${query}`));
  const subfolders = folders.map(({ path: place, videos: count }): Subfolder => ({
    path: place,
    name: place.slice(place.lastIndexOf('/') + 1),
    count,
  }));
  const collator = new Intl.Collator('en', { numeric: true });
  return {
    count: videos,
    subfolders: subfolders.toSorted((one, other) => collator.compare(one.name, other.name)),
  };
}
