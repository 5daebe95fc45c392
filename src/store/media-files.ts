import { createHash } from 'node:crypto';
import { createReadStream, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NotAvailableError } from '../base/on-demand.ts';
import { packageRoot } from '../base/package-files.ts';

/** The recordings that live-event sessions play, unencrypted. */
export interface Footage {
  /**
   * Returns a recording by its name, on first use read from its files. A name without a recording gets the test
   * card.
   */
  named(name: string): Recording;
}

/** One recording. Files are looked up by name, so a request cannot reach other paths. */
interface Recording {
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
export interface Download {
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  /** The ETag, for clients that request the rest of a partial download. */
  readonly tag: string;
}

const testCard = 'test-card';

/** Lists the recordings, and reads the test card. */
export function readFootage(): Footage {
  const folder = fileURLToPath(new URL('fixtures/media/', packageRoot));
  const names = new Set(readdirSync(folder));
  const base = readRecording(`${folder}${testCard}/`);
  const read = new Map([[testCard, base]]);
  return {
    named: (name) => {
      const known = read.get(name);
      if (known !== undefined || !names.has(name)) return known ?? base;
      const own = readRecording(`${folder}${name}/`);
      // A session may be changed to have a source that was not recorded.
      const recording = { ...own, sources: new Map([...base.sources, ...own.sources]) };
      read.set(name, recording);
      return recording;
    },
  };
}

/** Reads the playlists and the sizes of the files in them. */
function readRecording(folder: string): Recording {
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
