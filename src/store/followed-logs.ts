import type { ReadSaved } from './history.ts';
import { noId, type ChainEnd } from './log-chain.ts';
import type { LogLine } from './read-logs.ts';
import { NotUsableError, type SavedLine } from './saved.ts';

const unnamed = { id: noId, after: [noId] };

/** Checks that each log continues what was read before it: another server, or a backup, has lines with the same numbers. */
export class FollowedLogs {
  readonly #stateFile: string;
  readonly #hasState: boolean;
  /** The ids of the logs whose lines the state file has. */
  readonly #included: ReadonlySet<string>;
  #log: string | null;
  readonly #ids = new Map<string, string>();
  #state: string | null;
  #file: string | null = null;
  /** The log that is being read, and whether it began with the line after the last one. */
  #current = '';
  #isNext = false;

  constructor(stateFile: string, saved: ReadSaved | null) {
    this.#stateFile = stateFile;
    this.#hasState = saved !== null;
    this.#included = new Set(saved?.logs);
    this.#state = saved?.id ?? null;
    this.#log = this.#state === null ? noId : null;
  }

  /** The log that has the last line; null if that is in the state file. */
  get file(): string | null {
    return this.#file;
  }

  get end(): ChainEnd {
    return { log: this.#log, state: this.#state, ids: this.#ids };
  }

  /** Throws NotUsableError if a line must not be applied after the line with this number. */
  require({ log, isFirst }: LogLine, { line, log: header }: SavedLine, lastLine: number): void {
    if (this.#current !== log) {
      this.#current = log;
      this.#isNext = line > lastLine;
      // Files of version 2 do not name what they continue, nor does a log whose first line is damaged.
      const { id, after } = (isFirst ? header : undefined) ?? unnamed;
      if (id !== noId) this.#ids.set(log, id);
      if (this.#isNext && (this.#isNamedIn(after) || this.#followsIncluded(after, line, lastLine))) return;
      if (!this.#isNext && (id === noId || this.#included.has(id))) return;
      throw this.#isNext || this.#file === null || !this.#isNamedIn(after)
        ? this.#foreign(line, lastLine)
        : this.#takenOver(line, lastLine);
    }
    // A state file never ends within a log of this version.
    if (line > lastLine && !this.#isNext && !this.#isNamedIn(unnamed.after))
      throw this.#foreign(line, lastLine);
  }

  /** Throws NotUsableError if the first line of a log names the log that was read before, but not its last line. */
  requireWhole({ isFirst }: LogLine, { line, log: header }: SavedLine, lastLine: number): void {
    const before = this.#file;
    const isNamed = this.#log !== null && this.#log !== noId && header?.after.includes(this.#log) === true;
    if (!isFirst || before === null || !isNamed || line <= lastLine + 1) return;
    throw new NotUsableError(
      `it continues line ${line - 1} of ${before}, but that file ends with line ${lastLine}: it is older, or a power failure has cut it off. Nothing was changed. Put back the file that has these lines; or ${moveAway}`,
    );
  }

  /** A line was applied. */
  applied({ log }: LogLine): void {
    this.#file = log;
    this.#log = this.#ids.get(log) ?? noId;
    this.#state = null;
  }

  #isNamedIn(after: readonly string[]): boolean {
    return [this.#log, this.#state].some((id) => id !== null && after.includes(id));
  }

  /**
   * Whether a log continues the last line of a log that the state file has, and that is also the last line of the state
   * file: one server wrote that state file late, after another server had begun this log. Both have the same lines
   * before it.
   */
  #followsIncluded(after: readonly string[], line: number, lastLine: number): boolean {
    return this.#file === null && line === lastLine + 1 && after.some((id) => this.#included.has(id));
  }

  /** A log continues the one before, but not from its end. A backup looks the same, so the user has to decide. */
  #takenOver(line: number, lastLine: number): NotUsableError {
    const before = this.#file ?? this.#stateFile;
    const lines = line === lastLine ? `line ${line}` : `lines ${line} to ${lastLine}`;
    const count = lastLine - line + 1;
    return new NotUsableError(
      `it continues line ${line - 1} of ${before}, but that file also has ${lines}. This happens if the disk of one server hangs while it writes, and another server takes over: the first server then refuses those changes. Nothing was changed. Copy both files to another folder. If a server reported that another one had taken the lock of --data, remove the last ${count === 1 ? 'line' : `${count} lines`} of ${before} (${lines}), and no others: all acknowledged changes stay. If not, one of the two is of a backup or of another folder: ${moveAway}`,
    );
  }

  #foreign(line: number, lastLine: number): NotUsableError {
    const before = this.#file ?? this.#stateFile;
    // Its first line has the ids of what it continues, but not their names.
    if (this.#file === null && !this.#hasState)
      return new NotUsableError(
        `it continues line ${line - 1}, which no file has: the log that ends with that line is missing, or the state file ${before}. Nothing was changed. Put the missing file back; or ${moveAway}`,
      );
    return new NotUsableError(
      `it does not continue ${before}, which ends with line ${lastLine}: one of the two is older or of another server, or a log between them is missing. Nothing was changed. Put back the files that belong together; or ${moveAway}`,
    );
  }
}

/** Later logs can be good: the log may be an old one that somebody has put there. */
const moveAway =
  'move this log away, and no other one, to start without it. If a later log does not fit then, the message names that one.';
