import type { ChildProcess } from 'node:child_process';
import { constants, platform } from 'node:os';
import { after } from '../sandbox/clock.ts';

/** A program that was started. */
export interface Child {
  /** Null where it could not be started. */
  readonly pid: number | null;
  readonly ended: Promise<Ending>;
  signal(signal: NodeJS.Signals): void;
}

/** How a program ended. */
export interface Ending {
  /** Null where a signal ended it. Where it never ran: 127 for one that is not there, 126 for one that cannot be run. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it never ran; null where it did. */
  readonly notRun: string | null;
}

/** Told of what a program writes, as it comes. */
export type Listen = (stream: 'out' | 'err', text: string) => void;

/** Milliseconds for what a program wrote last to arrive, where something that it left behind keeps its streams open. */
const lastWordsMs = 300;

/**
 * Starts a program. Its streams are ours, so that nothing of its output is touched; with `listen` they are read instead, it has nothing
 * to read itself, and it leads a group of processes of its own.
 */
export async function startChild(program: readonly string[], environment: NodeJS.ProcessEnv, listen?: Listen): Promise<Child> {
  // On Windows programs such as npm are scripts, which need a shell and its own way of quoting.
  const { default: spawn } = await import('cross-spawn');
  const [file = '', ...args] = program;
  try {
    const child = spawn(file, args, {
      env: environment,
      stdio: listen === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      // On Windows it would get a window of its own.
      detached: listen !== undefined && platform() !== 'win32',
    });
    if (listen !== undefined) {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => listen('out', text));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => listen('err', text));
    }
    return { pid: child.pid ?? null, ended: endOf(child, file), signal: (signal) => void child.kill(signal) };
  } catch (error) {
    return { pid: null, ended: Promise.resolve(neverRan(file, error)), signal: () => {} };
  }
}

function endOf(child: ChildProcess, file: string): Promise<Ending> {
  return new Promise((done) => {
    // Afterwards an error is one of a signal that came too late.
    child.on('error', (error) => void (child.pid === undefined && done(neverRan(file, error))));
    child.once('exit', (code, signal) => {
      const ending = { code, signal, notRun: null };
      const late = after(lastWordsMs, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
      child.once('close', () => {
        late.cancel();
        done(ending);
      });
    });
  });
}

function neverRan(file: string, error: unknown): Ending {
  const { code = '', message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const isThere = code !== 'ENOENT' && code !== 'ENOTDIR';
  const reason = isThere ? `"${file}" cannot be run: ${reasons[code] ?? message}.` : `There is no program "${file}".${hintAt(file)}`;
  return { code: isThere ? 126 : 127, signal: null, notRun: reason };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it is a folder, or a file that may not be executed (chmod +x)',
  ENOEXEC: 'it is no program for this machine',
};

function hintAt(file: string): string {
  if (/\s/.test(file)) return ' Give it and its arguments apart, without quotes around them all; a line for a shell is: -- sh -c "…"';
  return ' Its name, or the interpreter that its first line names, is not to be found.';
}

/** The exit code that tells of the ending, as shells do. */
export function exitCodeOf({ code, signal }: Ending): number {
  return code ?? codeOfSignal(signal ?? 'SIGKILL');
}

export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
