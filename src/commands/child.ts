import type { ChildProcess } from 'node:child_process';
import { constants, platform } from 'node:os';
import { after } from '../sandbox/clock.ts';

/** A program that runs. */
export interface Child {
  /** Rejects with CannotRun where that shows only now. */
  readonly ended: Promise<Ending>;
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
}

/** How a program ended: by itself, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** There is no such program, or it cannot be run. The code is what shells exit with then. */
export class CannotRun extends Error {
  readonly code: number;

  constructor(file: string, reason: unknown) {
    const { code = '', message } = reason instanceof Error ? (reason as NodeJS.ErrnoException) : { message: String(reason) };
    const isThere = code !== 'ENOENT' && code !== 'ENOTDIR';
    super(isThere ? `"${file}" cannot be run: ${reasons[code] ?? message}.` : `There is no program "${file}".${hintAt(file)}`);
    this.code = isThere ? 126 : 127;
  }
}

/** Told of what a program writes, as it comes. */
export type Listen = (stream: 'out' | 'err', text: string) => void;

/** Milliseconds for what a program wrote last to arrive, where something that it left behind keeps its streams open. */
const lastWordsMs = 300;

/**
 * Starts a program. Its streams are ours, so that nothing of its output is touched; with `listen` they are read instead, it has nothing
 * to read itself, and it leads a group of processes of its own. Rejects with CannotRun.
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
    const ended = endOf(child, file);
    // Without a process there is nothing but the reason why.
    if (child.pid === undefined) return await ended.then(() => Promise.reject(new CannotRun(file, 'it has no process')));
    return { pid: child.pid, ended, signal: (signal) => void child.kill(signal) };
  } catch (error) {
    throw error instanceof CannotRun ? error : new CannotRun(file, error);
  }
}

function endOf(child: ChildProcess, file: string): Promise<Ending> {
  return new Promise((done, fail) => {
    // One that comes later, of a signal that could not be sent, changes nothing any more.
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
