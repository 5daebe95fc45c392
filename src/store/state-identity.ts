import type { Stats } from 'node:fs';
import { kindOf } from './own-files.ts';

/** Returns what identifies a file and its content; null if there is none. */
export function identityOf(found: Stats | undefined): string | null {
  return found === undefined
    ? null
    : `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.nlink === 0 ? 'gone' : ''}`;
}

const string = String.raw`"(?:[^"\\]|\\.)*"`;

/** How a state file of this version begins: other members, such as the rules, have ids, too. */
const start = new RegExp(
  String.raw`^\s*\{\s*"format"\s*:\s*${string}\s*,\s*"version"\s*:\s*3\s*,\s*"sandbox"\s*:\s*${string}\s*,\s*"upTo"\s*:\s*\d+\s*,\s*"id"\s*:\s*"([^"]+)"`,
);

/** Returns the id of a state file; null if there is no file, or if it does not say one. */
export function stateIdIn(file: string): string | null {
  return start.exec(kindOf(file).beginning)?.[1] ?? null;
}

/** Returns the number of the last line in a state file; 0 if it does not say it. */
export function lastLineIn(file: string): number {
  const [, number] = /"upTo": *(\d{1,16})\b/.exec(kindOf(file).beginning) ?? [];
  return Number(number ?? 0);
}
