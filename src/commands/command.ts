/** What a command is given: nothing of the process itself. */
export interface Invocation {
  /** The flags, by name without the dashes, in the order given; a flag without a value has an empty text. */
  readonly given: Given;
  /** What stands behind `--`: a program and its arguments. Empty for a command that takes none. */
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Which of the three streams is a terminal. */
  readonly terminals: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  readonly processId: number;
  /** Resolves when the process is asked to stop. */
  readonly stopped: Promise<void>;
  /** From now on, an error that nothing caught is written to the terminal, and the process goes on: it serves many clients. */
  readonly surviveDefects: () => void;
  /** Tells of every signal from now on; none of them ends the process any more. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
  /** Signals a whole group of processes, by the one that leads it. */
  readonly signalGroup: (leader: number, signal: NodeJS.Signals) => void;
}

/** What each flag was given, by the flag's name. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** A flag as a command knows it. */
export interface CommandFlag {
  readonly name: string;
  /** What stands for the value in the help; none for a flag without one. */
  readonly value: string | null;
  readonly help: string;
  /** Where several values may stand behind one flag: how many. */
  readonly several?: 'one or more' | 'none or more';
}

/** One command of `lp-sandbox`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CommandFlag[];
  /** Whether a program to run stands behind `--`. */
  readonly takesProgram?: true;
  /** Resolves with the exit code. */
  readonly run: (invocation: Invocation) => Promise<number>;
}
