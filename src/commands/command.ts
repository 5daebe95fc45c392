/** The input of a command. Commands do not access the process directly. */
export interface Invocation {
  /** The flags by name, without dashes, in the order given; a flag without a value has an empty string. */
  readonly given: Given;
  /** The program after `--` and its arguments, or the operands; empty for a command that takes neither. */
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Which of the streams are terminals. */
  readonly terminals: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  readonly processId: number;
  /** Resolves when the process is asked to stop. */
  readonly stopped: Promise<void>;
  /** From now on, uncaught errors are printed and do not end the process, because it serves many clients. */
  readonly surviveDefects: () => void;
  /** From now on, every signal is reported to the listener, and none ends the process. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
  /** Sends a signal to the process group of a leader. */
  readonly signalGroup: (leader: number, signal: NodeJS.Signals) => void;
}

/** The values of each flag, by name. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** A flag of a command. */
export interface CommandFlag {
  readonly name: string;
  /** Placeholder for the value in the help; null for a flag without a value. */
  readonly value: string | null;
  readonly help: string;
  /** An earlier name that is still accepted, and not documented. */
  readonly formerName?: string;
  /** How many values a flag that takes several accepts. */
  readonly several?: 'one or more' | 'none or more';
}

/** One command of `lp-sandbox`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CommandFlag[];
  /** Lines below the flags in the help, such as exit codes. */
  readonly notes?: readonly string[];
  /** Whether the command takes a program after `--`. */
  readonly takesProgram?: true;
  /** The arguments that the command takes as its program, for the help. */
  readonly operands?: string;
  /** Resolves with the exit code. */
  readonly run: (invocation: Invocation) => Promise<number>;
}
