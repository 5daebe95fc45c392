import { createHash } from 'node:crypto';
import { createReadStream, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NotAvailableError } from '../base/on-demand.ts';
import { packageRoot } from '../base/package-files.ts';

/** The recording that every live-event session plays, in the clear. It is looked up by name, so no path of a request ever reaches the disk. */
export interface Footage {
  readonly sources: ReadonlyMap<string, Source>;
  readonly download: Download;
}

/** What one camera saw. */
interface Source {
  /** The multivariant playlist. */
  readonly master: string;
  /** By the names of their playlists, which the master playlist has. */
  readonly renditions: ReadonlyMap<string, Rendition>;
}

interface Rendition {
  readonly playlist: string;
  /** By the names that the playlist has. */
  readonly segments: ReadonlyMap<string, Segment>;
}

/** A file that is read piece by piece, each time that it is wanted. */
export interface Segment {
  readonly bytes: number;
  /** Throws NotAvailableError where the file cannot be opened. */
  open(): Readable;
}

/** The whole recording as one file. */
interface Download {
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  /** What tells this recording from another one, for whoever has a part of it and asks for the rest. */
  readonly tag: string;
}

/** Reads the playlists and what there is to know of the files that they name. */
export function readFootage(): Footage {
  const folder = fileURLToPath(new URL('fixtures/media/', packageRoot));
  const file = 'recording.mp4';
  const content = readFileSync(`${folder}${file}`);
  const tag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
  const sources = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    sources: new Map(sources.map(({ name }) => [name, readSource(`${folder}${name}/`)])),
    download: { folder, file, bytes: content.length, tag },
  };
}

function readSource(folder: string): Source {
  const master = readFileSync(`${folder}master.m3u8`, 'utf8');
  return { master, renditions: new Map(namesIn(master).map((name) => [name, readRendition(folder, name)])) };
}

function readRendition(folder: string, name: string): Rendition {
  const playlist = readFileSync(`${folder}${name}`, 'utf8');
  return { playlist, segments: new Map(namesIn(playlist).map((segment) => [segment, segmentAt(`${folder}${segment}`)])) };
}

function segmentAt(file: string): Segment {
  return { bytes: statSync(file).size, open: () => createReadStream(file, { fd: opened(file) }) };
}

/** Opened at once: nothing is sent of a file that cannot be, so that the request can be answered with why. */
function opened(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new NotAvailableError('A segment cannot be read', error);
  }
}

/** The files that a playlist names. */
function namesIn(playlist: string): readonly string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
