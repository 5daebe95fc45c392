import { newToken } from '../sandbox/random.ts';
import { version } from './saved.ts';

/** What the first line of a log says about it. */
export interface LogHeader {
  readonly id: string;
  /** The ids of what ends with the line before: a log, a state file or both. */
  readonly after: readonly string[];
}

/** What a state file says, so that no log of another state is applied to it. */
export interface StateMark {
  /** The first line after the state file names it. */
  readonly id: string;
  /** The ids of the logs whose lines the state file has: a killed server may not have deleted them. */
  readonly logs: readonly string[];
}

/** The end of what was read from the files of a sandbox. */
export interface ChainEnd {
  /** The ids of the log and of the state file that end with the last line; null if there is none. */
  readonly log: string | null;
  readonly state: string | null;
  /** The ids of all logs, by file. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The id of what has none: a sandbox before its first line, and files that version 2 wrote. */
export const noId = '';

/** The end of a sandbox without files. */
export const noChain: ChainEnd = { log: noId, state: null, ids: new Map() };

/** The ids of the logs of a sandbox that are being written, each of which names what it continues. */
export class LogChain {
  readonly #ids: Map<string, string>;
  #log: string | null;
  #state: string | null;

  /** `read` is the end of what was read from the files. */
  constructor(read: ChainEnd) {
    this.#ids = new Map(read.ids);
    this.#log = read.log;
    this.#state = read.state;
  }

  /** Gives a new log an id. Returns its first line, which says it. */
  first(file: string, line: string): string {
    const at = lineStart.exec(line)?.[0].length ?? 0;
    return `${line.slice(0, at)}${this.begin(file)}${line.slice(at)}`;
  }

  /** Gives a new log an id. Returns the members of its first line that say it, as JSON. */
  begin(file: string): string {
    const header = { id: newToken(), after: [this.#log, this.#state].filter((id) => id !== null) };
    this.#ids.set(file, header.id);
    return `,"version":${version},"log":${JSON.stringify(header)}`;
  }

  idOf(file: string): string {
    return this.#ids.get(file) ?? noId;
  }

  /** A line was appended to a log. */
  appended(file: string): void {
    this.#log = this.idOf(file);
    this.#state = null;
  }

  /** Returns the mark of a state file that ends with the last line. `files` are the logs that it replaces. */
  stateMark(files: readonly string[]): StateMark {
    // If no line has followed since an attempt to write it, the next log may name that one.
    this.#state ??= newToken();
    return {
      id: this.#state,
      logs: files.map((file) => this.#ids.get(file)).filter((id) => id !== undefined),
    };
  }
}

const lineStart = /^\{"line":\d+/;
