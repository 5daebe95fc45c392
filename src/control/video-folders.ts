import type { SlicedWork } from '../base/sliced-work.ts';
import type { components } from '../contract/generated/control.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { absolutePath, isBelow } from '../operations/shared/video-folders.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { refuse } from './fitting.ts';
import { addUnknownFilters } from './query.ts';
import { isOfSchool, schoolIn } from './school-hint.ts';

type VideoFolder = components['schemas']['VideoFolder'];

interface Wanted {
  /** The id of a school; null for all. */
  readonly school: string | null;
  readonly folder: string;
}

/**
 * Returns a folder of the video library, and the folders directly in it. The sandbox must not change meanwhile.
 * Throws ValidationError for an invalid query.
 */
export function readVideoFolder(
  sandbox: Sandbox,
  query: Readonly<Record<string, unknown>>,
): SlicedWork<VideoFolder> {
  const list = new ViolationList(sandbox.caps.violations);
  addUnknownFilters(list, query, ['school', 'folder']);
  const { folder = '/' } = query;
  const school = schoolIn(list, query, sandbox);
  if (typeof folder !== 'string') list.add('/folder', () => 'must occur once.');
  refuse('The query is invalid.', list);
  return counting(sandbox, { school, folder: absolutePath(String(folder)) });
}

function* counting({ state }: Pick<Sandbox, 'state'>, { school, folder }: Wanted): SlicedWork<VideoFolder> {
  const counts = new Map<string, number>();
  const start = folder === '/' ? 1 : folder.length + 1;
  let videos = 0;
  for (const video of state.collection('videos').all()) {
    yield;
    if (school !== null && !isOfSchool(school, video)) continue;
    const path = absolutePath(video.folderPath);
    if (path === folder || isBelow(path, folder)) videos += 1;
    if (!isBelow(path, folder)) continue;
    const end = path.indexOf('/', start);
    const inner = end < 0 ? path : path.slice(0, end);
    counts.set(inner, (counts.get(inner) ?? 0) + 1);
  }
  return { path: folder, videos, folders: [...counts].map(([path, count]) => ({ path, videos: count })) };
}
