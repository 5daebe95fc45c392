import { readFileSync } from 'node:fs';
import { firstLineOf } from './log-names.ts';
import { isNearlyLine, kindOf, requireOwn } from './own-files.ts';

/**
 * Returns the logs that are not empty, damaged ones included. Throws ConflictError if a file of another program
 * has the name of a log.
 */
export function logsOf(sandboxId: string, files: readonly string[]): readonly string[] {
  const own = files.filter((file) => kindOf(file).kind === 'own');
  const others = files.filter((file) => kindOf(file).kind === 'other');
  const lastOwn = Math.max(...own.map(firstLineOf));
  const damaged = others.filter((file) => isDamaged(file, lastOwn));
  requireOwn(
    sandboxId,
    others.filter((file) => !damaged.includes(file)),
  );
  return [...own, ...damaged];
}

/** Whether a file that does not begin as a log is one: other logs continue it, or its lines have the numbers. */
function isDamaged(file: string, lastOwn: number): boolean {
  const { isRegular, beginning } = kindOf(file);
  if (!isRegular) return false;
  const first = firstLineOf(file);
  if (first < lastOwn || isNearlyLine(beginning, first)) return true;
  return readFileSync(file).includes(`\n{"line":${first + 1},`);
}
