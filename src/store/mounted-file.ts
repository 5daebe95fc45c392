import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { hasSource, sourceOf } from './source-file.ts';

const chunkBytes = 1_048_576;

/**
 * Fills a file that is mounted by itself, which cannot be replaced, with the content of a complete one, which becomes
 * its source meanwhile. Throws an error without a code if that fails: the log is not on the same volume, so it cannot
 * replace the file.
 */
export function fillMounted(complete: string, file: string): void {
  const source = sourceOf(file);
  const { O_RDONLY, O_RDWR, O_NOFOLLOW } = constants;
  const [from, to] = [openSync(complete, O_RDONLY | O_NOFOLLOW), openSync(file, O_RDWR | O_NOFOLLOW)];
  try {
    const [size, before] = [fstatSync(from).size, fstatSync(to).size];
    // JSON may end with blanks. An empty file is not padded: nothing in it can be lost, and a file of blanks would look
    // like another program's.
    const end = before === 0 ? 0 : extend(file, to, before, Math.max(size, before) + 1);
    renameSync(complete, source);
    overwrite({ file, source, from, to, size, before, end });
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/** Appends blanks: afterwards, overwriting needs no more room. Returns the new size. If that fails, the file is as before. */
function extend(file: string, to: number, before: number, end: number): number {
  try {
    const blanks = Buffer.alloc(Math.min(chunkBytes, end - before), ' ');
    for (let at = before; at < end;) at += writeSync(to, blanks, 0, Math.min(blanks.length, end - at), at);
    fsyncSync(to);
    return end;
  } catch (error) {
    undo(to, before);
    const written = hasSource(file) ? `${sourceOf(file)} has` : 'The file still has';
    throw new Error(
      `${file} is mounted by itself, and its volume has no room for the whole state: ${String(error)}. ${written} the state that was last written. Later changes are only in the log beside it, which is not on that volume. Free space there`,
      { cause: error },
    );
  }
}

interface Filling {
  readonly file: string;
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** The size of the file before, and with the blanks; 0 if it was empty. */
  readonly before: number;
  readonly end: number;
}

function overwrite({ file, source, from, to, size, before, end }: Filling): void {
  try {
    if (end > 0) {
      // A mixture of two states could be valid JSON: this makes it invalid until all of it is on the disk.
      writeSync(to, '!', end - 1);
      fsyncSync(to);
    }
    copy(from, to, size);
    fsyncSync(to);
    if (end === 0) return;
    ftruncateSync(to, size);
    fsyncSync(to);
  } catch (error) {
    if (before === 0) undo(to, 0);
    throw new Error(
      `${file} is mounted by itself and cannot be filled: ${String(error)}. It is ${before === 0 ? 'still empty' : 'incomplete'}. The whole state is in ${source}, which is not on the same volume. Free space on the volume of ${file}, or copy that file over it when this server has stopped`,
      { cause: error },
    );
  }
}

function copy(from: number, to: number, size: number): void {
  const chunk = Buffer.alloc(Math.min(chunkBytes, size));
  for (let at = 0; at < size;) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, size - at), at);
    if (read === 0) throw new Error('its source was cut off');
    for (let written = 0; written < read;)
      written += writeSync(to, chunk, written, read - written, at + written);
    at += read;
  }
}

function undo(to: number, size: number): void {
  try {
    ftruncateSync(to, size);
    fsyncSync(to);
  } catch {
    // The caller reports the first error. Blanks at the end are harmless, and an incomplete file has its source.
  }
}
