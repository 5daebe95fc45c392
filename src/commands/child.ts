import type { ChildProcess } from 'node:child_process';
import { constants, platform } from 'node:os';
import { after } from '../sandbox/clock.ts';

/** A running program. */
export interface Child {
  /** Rejects with CannotRun if the program turns out not to be runnable. */
  readonly ended: Promise<Ending>;
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
}

/** How a program ended: exit code or signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program does not exist or is not executable. `code` is the exit code that shells use. */
export class CannotRun extends Error {
  readonly code: number;

  constructor(file: string, reason: unknown) {
    const { code = '', message }: NodeJS.ErrnoException =
      reason instanceof Error ? reason : new Error(String(reason));
    const isThere = code !== 'ENOENT' && code !== 'ENOTDIR';
    super(
      isThere
        ? `Cannot run "${file}": ${reasons[code] ?? message}.`
        : `Program "${file}" not found.${hintAt(file)}`,
    );
    this.code = isThere ? 126 : 127;
  }
}

/** Receives a program's output as it is written. */
export type Listen = (stream: 'out' | 'err', text: string) => void;

/** Time for the last output to arrive if a leftover process keeps the streams open. */
const lastWordsMs = 300;

/**
 * Starts a program. It inherits the streams, so its output is untouched; with `listen` its output is read
 * instead, it gets no input, and it leads its own process group. Rejects with CannotRun.
 */
export async function startChild(
  program: readonly string[],
  environment: NodeJS.ProcessEnv,
  listen?: Listen,
): Promise<Child> {
  // On Windows, programs such as npm are scripts, which need a shell and special quoting.
  const { default: spawn } = await import('cross-spawn');
  const [file = '', ...args] = program;
  try {
    const child = spawn(file, args, {
      env: environment,
      stdio: listen === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      // On Windows it would open a window.
      detached: listen !== undefined && platform() !== 'win32',
    });
    if (listen !== undefined) {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => listen('out', text));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => listen('err', text));
    }
    const ended = endOf(child, file);
    // Without a process, only the error is left to report.
    if (child.pid === undefined)
      return await ended.then(() => Promise.reject(new CannotRun(file, 'it could not be started')));
    return { pid: child.pid, ended, signal: (signal) => void child.kill(signal) };
  } catch (error) {
    throw error instanceof CannotRun ? error : new CannotRun(file, error);
  }
}

function endOf(child: ChildProcess, file: string): Promise<Ending> {
  return new Promise((done, fail) => {
    // A later error, from a signal that could not be sent, has no effect.
    child.on('error', (error) => fail(new CannotRun(file, error)));
    child.once('exit', (code, signal) => {
      const late = after(lastWordsMs, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
      child.once('close', () => {
        late.cancel();
        done({ code, signal });
      });
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it is a folder or not executable (chmod +x)',
  ENOEXEC: 'it is not a program for this machine',
};

function hintAt(file: string): string {
  if (/\s/.test(file))
    return ' Do not quote the program together with its arguments. For a shell command line, use: -- sh -c "…"';
  return ' Check its name, PATH, and the interpreter in its first line.';
}

/** Returns the exit code for an ending, as shells do. */
export function exitCodeOf({ code, signal }: Ending): number {
  return code ?? codeOfSignal(signal ?? 'SIGKILL');
}

export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
