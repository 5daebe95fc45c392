import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package-files.ts';

/** The folder of the recording that every live-event session plays, in the clear. */
export const mediaRoot = fileURLToPath(new URL('fixtures/media/', packageRoot));

/** The names of its files are those of its playlists and what these name, so no path of a request ever reaches the disk. */
export interface MediaFile {
  readonly bytes: number;
  open(): Readable;
}

export function mediaFile(path: string): MediaFile {
  const file = `${mediaRoot}${path}`;
  return { bytes: statSync(file).size, open: () => createReadStream(file) };
}

/** What tells this recording from another one, for whoever has a part of it and asks for the rest. */
export function downloadTag(): string {
  return `"${createHash('sha256')
    .update(readFileSync(`${mediaRoot}recording.mp4`))
    .digest('hex')
    .slice(0, 32)}"`;
}

export function mediaText(path: string): string {
  return readFileSync(`${mediaRoot}${path}`, 'utf8');
}
