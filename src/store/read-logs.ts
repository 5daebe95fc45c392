import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { firstLineOf } from './log-names.ts';

/** A line of a log. */
export interface LogLine {
  readonly text: string;
  readonly log: string;
  /** Whether no other line is before it in the log. */
  readonly isFirst: boolean;
  /** Where it begins in the log, in bytes. */
  readonly at: number;
  readonly bytes: number;
  /** Whether a line break follows. */
  readonly hasEnd: boolean;
}

/** Reads the logs of a sandbox, in the order of their lines. */
export function readLogs(files: readonly string[]): readonly LogLine[] {
  return inOrder(files).flatMap((file) => linesIn(file, readFileSync(file)));
}

/** A log may have more characters than one text can. A byte order mark and blank lines mean nothing. */
function linesIn(log: string, content: Buffer): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let at = 0; at < content.length;) {
    const found = content.indexOf(0x0a, at);
    const end = found < 0 ? content.length : found;
    const text = content.toString('utf8', at, end).replace(byteOrderMark, '');
    // As an editor, or `echo >>`, leaves them.
    if (text.trim() !== '')
      lines.push({ text, log, isFirst: lines.length === 0, at, bytes: end - at, hasEnd: found >= 0 });
    at = end + 1;
  }
  return lines;
}

const byteOrderMark = /^\u{feff}/u;

/** Removes the last line of a log, so that others can follow. */
export function cutOff({ log, isFirst, at }: LogLine): void {
  if (isFirst) rmSync(log, { force: true });
  else truncateSync(log, at);
}

/** Returns logs in the order of their lines. */
export function inOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((one, other) => firstLineOf(one) - firstLineOf(other));
}
