import { closeSync, constants, fstatSync, ftruncateSync, openSync, type Stats } from 'node:fs';
import { inodeOf } from './known-files.ts';
import { kindOf } from './own-files.ts';

/** The last line of a log, which came so late that it was refused, because another server has taken the files. */
export interface RefusedLine {
  readonly number: number;
  readonly file: string;
  readonly inode: Stats;
  /** Where it begins and ends, in bytes. */
  readonly from: number;
  readonly to: number;
  /** The id of its log… */
  readonly id: string;
  /** … and the log of the other server, if that has not read the line. */
  readonly next: string;
}

/**
 * Removes a line if another server has continued the one before: its log would not fit, and its acknowledged changes
 * would be lost. Otherwise, that server may have read the line. Only this server writes to this log.
 */
export function withdraw({ number, file, inode, from, to, id, next }: RefusedLine): boolean {
  try {
    if (next === file || !continues(next, number, id)) return false;
    const opened = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(opened);
      if (inodeOf(found) !== inodeOf(inode) || found.size !== to) return false;
      ftruncateSync(opened, from);
      return true;
    } finally {
      closeSync(opened);
    }
  } catch {
    // The files may be gone. The next start names what does not fit.
    return false;
  }
}

/** Whether a log begins with a line of this number that names the log with this id as what it continues. */
function continues(log: string, number: number, id: string): boolean {
  const [, line, after] = firstLine.exec(kindOf(log).beginning) ?? [];
  return Number(line) === number && after?.split(',').includes(JSON.stringify(id)) === true;
}

/** The beginning of a log, except for one that begins with a large line. */
const firstLine = /^\{"line":(\d+),"version":3,"log":\{"id":"[^"]*","after":\[([^\]]*)\]/;
