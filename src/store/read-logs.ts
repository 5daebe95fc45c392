import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { firstLineOf } from './log-names.ts';

/** A line of a log. */
export interface LogLine {
  readonly text: string;
  readonly log: string;
  /** Where it begins in the log, in bytes. */
  readonly at: number;
}

/** The content of the logs of a sandbox. */
export interface LogContent {
  readonly lines: readonly LogLine[];
  /** The bytes of lines that are not whole. */
  readonly tornBytes: number;
  /** Removes the lines that are not whole, so that others can follow. */
  readonly repair: () => void;
}

/** Reads the logs of a sandbox, in the order of their lines. */
export function readLogs(files: readonly string[]): LogContent {
  const logs = inOrder(files).map((file) => {
    const bytes = readFileSync(file);
    return { file, bytes, wholeBytes: bytes.lastIndexOf(0x0a) + 1 };
  });
  const torn = logs.filter(({ bytes, wholeBytes }) => wholeBytes < bytes.length);
  return {
    lines: logs.flatMap(({ file, bytes, wholeBytes }) => linesIn(file, bytes.subarray(0, wholeBytes))),
    tornBytes: torn.reduce((sum, { bytes, wholeBytes }) => sum + bytes.length - wholeBytes, 0),
    repair: () => {
      for (const { file, wholeBytes } of torn) {
        if (wholeBytes > 0) truncateSync(file, wholeBytes);
        else rmSync(file, { force: true });
      }
    },
  };
}

/** A log may have more characters than one text can. */
function linesIn(log: string, bytes: Buffer): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    lines.push({ text: bytes.toString('utf8', at, end), log, at });
    at = end + 1;
  }
  return lines;
}

/** Returns logs in the order of their lines. */

export function inOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((one, other) => firstLineOf(one) - firstLineOf(other));
}
