import { wallClock } from '../sandbox/clock.ts';

/** Another server uses the state file under another path. This one must not overwrite it. */
export class TakenError extends Error {
  /** Whether the state of this server is complete in a file beside it. */
  readonly isKept: boolean;
  readonly #parts: readonly [string, string, 'changed' | 'replaced'];

  constructor(file: string, kept: string, what: 'changed' | 'replaced', isKept = false) {
    super(
      `${file} was ${what} by another program, such as a second server that has the same file mounted in another place. This server does not overwrite it: its own state is in ${kept}. Stop one of the two, leave the state that you need in ${file}, and restart this server`,
    );
    this.isKept = isKept;
    this.#parts = [file, kept, what];
  }

  /** Returns the error when the state is beside the file. */
  kept(): TakenError {
    return new TakenError(...this.#parts, true);
  }
}

/** Returns a name beside a state file that no server reads. */
export function keptName(stateFile: string): string {
  return `${stateFile}.kept-${new Date(wallClock()).toISOString().replaceAll(/[:.]/g, '-')}`;
}
