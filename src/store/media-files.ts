import { createHash } from 'node:crypto';
import { createReadStream, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NotAvailableError } from '../base/on-demand.ts';
import { packageRoot } from '../base/package-files.ts';

/**
 * The recording that every live-event session plays, unencrypted. Files are looked up by name, so a request
 * cannot reach other paths.
 */
export interface Footage {
  readonly sources: ReadonlyMap<string, Source>;
  readonly download: Download;
}

/** The recording of one source, such as a camera. */
interface Source {
  /** The multivariant playlist. */
  readonly master: string;
  /** By the names of their playlists in the master playlist. */
  readonly renditions: ReadonlyMap<string, Rendition>;
}

interface Rendition {
  readonly playlist: string;
  /** By their names in the playlist. */
  readonly segments: ReadonlyMap<string, Segment>;
}

/** A file that is streamed for each request. */
export interface Segment {
  readonly bytes: number;
  /** Throws NotAvailableError if the file cannot be opened. */
  open(): Readable;
}

/** The whole recording as one file. */
interface Download {
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  /** The ETag, for clients that request the rest of a partial download. */
  readonly tag: string;
}

/** Reads the playlists and the sizes of the files in them. */
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
  return {
    playlist,
    segments: new Map(namesIn(playlist).map((segment) => [segment, segmentAt(`${folder}${segment}`)])),
  };
}

function segmentAt(file: string): Segment {
  return { bytes: statSync(file).size, open: () => createReadStream(file, { fd: open(file) }) };
}

/** Opens a file before anything is sent, so that a failure can still be answered with an error. */
function open(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new NotAvailableError('A segment cannot be read', error);
  }
}

/** Returns the files that a playlist lists. */
function namesIn(playlist: string): readonly string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
