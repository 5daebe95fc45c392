/** What a command is given: nothing of the process itself. */
interface Invocation {
  /** The flags, by name without the dashes, in the order given; a flag without a value has an empty text. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly environment: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  readonly processId: number;
  /** Resolves when the process is asked to stop. */
  readonly stopped: Promise<void>;
}

/** One command of `lp-sandbox`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly value: string | null; readonly help: string }[];
  /** Resolves with the exit code. */
  readonly run: (invocation: Invocation) => Promise<number>;
}
