import { SandboxError } from '../base/errors.ts';
import { checkLine } from './check-line.ts';
import type { FollowedLogs } from './followed-logs.ts';
import type { History } from './history.ts';
import { firstLineOf } from './log-names.ts';
import type { LogLine } from './read-logs.ts';
import { NotUsableError } from './saved.ts';

/** The first damaged line, and what is wrong with it. */
export interface Damage {
  readonly line: LogLine;
  readonly reason: string;
}

/** What became of the lines of the logs. */
export interface Applied {
  /** Null if none is damaged. */
  readonly damage: Damage | null;
  /** Those that a killed server had not finished. */
  readonly torn: readonly LogLine[];
}

/**
 * Applies lines up to the first damaged one. Throws the error of the first line if there is no state, and
 * NotUsableError for a log that does not continue what was read before.
 */
export function applyLines(history: History, lines: readonly LogLine[], logs: FollowedLogs): Applied {
  const torn: LogLine[] = [];
  let log = '';
  let number = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined) break;
    if (line.log !== log) number = firstLineOf(line.log);
    log = line.log;
    try {
      number = applied(history, line, number, logs, torn) + 1;
    } catch (error) {
      const reason = damageIn(error);
      if (reason === null)
        throw error instanceof NotUsableError ? new NotUsableError(error.message, log) : error;
      // The state file has the whole log, which began before it was written.
      if (number <= history.lastLine) continue;
      if (isTorn(line, number)) {
        torn.push(line);
        continue;
      }
      // An extra line break can make a log seem to have more lines than it has.
      const next = lines.findIndex(
        (other, place) =>
          place > index && other.log !== log && firstLineOf(other.log) <= history.lastLine + 1,
      );
      if (next < 0 && history.state === null) throw error;
      if (next < 0) return damaged(line, number, reason, history, torn);
      index = next - 1;
    }
  }
  return { damage: null, torn };
}

/** Applies a line that should have this number. Returns the number that it has. Throws an error if it is damaged. */
function applied(
  history: History,
  read: LogLine,
  number: number,
  logs: FollowedLogs,
  torn: readonly LogLine[],
): number {
  const last = history.lastLine;
  const line = checkLine(read.text);
  logs.require(read, line, last);
  // After a torn line, such as one that a power failure has left, the log before ends where it was cut off.
  if (!torn.some(({ log }) => log === logs.file)) logs.requireWhole(read, line, last);
  if (number > last + 1) throw missing(last + 1, number);
  const isKnown = number <= last && line.line <= last + 1;
  if (line.line > number && !isKnown) throw missing(number, line.line);
  if (line.line < number && !isKnown)
    throw new SandboxError(`Its log has a line ${line.line} in the place of line ${number}.`);
  history.apply(line);
  if (history.lastLine > last) logs.applied(read);
  return line.line;
}

function missing(number: number, found: number): SandboxError {
  return new SandboxError(`Its log has no line ${number}, but a line ${found}.`);
}

/** If others follow a line that is not whole, then it was whole once. */
function damaged(
  line: LogLine,
  number: number,
  reason: string,
  { lastLine }: History,
  torn: readonly LogLine[],
): Applied {
  const before = number > lastLine + 1 ? torn.at(-1) : undefined;
  return {
    damage: { line: before ?? line, reason },
    torn: before === undefined ? torn : torn.slice(0, -1),
  };
}

/** Returns a sentence about what is wrong with a damaged file; null for any other error. */
export function damageIn(error: unknown): string | null {
  // The message of a TypeError is about the code.
  if (error instanceof TypeError) return 'Its content is invalid.';
  const isDamage = error instanceof SandboxError || error instanceof SyntaxError;
  return isDamage ? `${error.message.replace(/\.$/, '')}.` : null;
}

/** Returns the only line of a new sandbox if a killed server had not finished it: the sandbox was not created. */
export function unfinishedBase(lines: readonly LogLine[]): LogLine | null {
  const [line] = lines;
  if (line === undefined || lines.length > 1 || firstLineOf(line.log) !== 1) return null;
  return isTorn(line, 1) ? line : null;
}

/** Whether a line is the beginning of one with this number, as a server leaves it that is killed meanwhile. */
function isTorn({ text, hasEnd }: LogLine, number: number): boolean {
  if (hasEnd) return false;
  const start = `{"line":${number},`;
  return (text.length < start.length ? start.startsWith(text) : text.startsWith(start)) && isOpen(text);
}

/** Whether the object that a text begins with does not end in it. Control characters are no part of a line. */
function isOpen(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    // A power failure leaves zeros.
    if (character < ' ') return false;
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}
