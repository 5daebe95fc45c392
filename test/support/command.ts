import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';

/**
 * How a program is run: its variables beside the usual ones, the folder that it is run in, and which program
 * it is.
 */
export interface Surroundings {
  /** The words before the arguments; `lp-sandbox` where none are given. */
  readonly program?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A server in a process of its own. */
export interface Program {
  /** Where it answers, as its banner says. */
  readonly url: string;
  readonly pid: number;
  readonly banner: string;
  /** What it has written so far. */
  said(): { readonly out: string; readonly err: string };
  /** Resolves when the process has ended, whatever ended it. */
  readonly ended: Promise<Ended>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** `lp-sandbox` as it is built, as words of a command; absolute, so that it can be run in any folder. */
export const lpSandbox = [
  process.execPath,
  join(fileURLToPath(new URL('../../', import.meta.url)), inject('bundle'), 'main.js'),
] as const;

/** Runs `lp-sandbox`, or another program, to its end. */
export function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return watched(args, surroundings).ended;
}

/** Starts `lp-sandbox` and waits for its banner. Rejects where it ends before. Whoever starts it stops it. */
export async function startProgram(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Program> {
  const { child, said, ended } = watched(args, surroundings);
  const up = new Promise<void>((done) => {
    // The last words of the banner.
    child.stdout?.on('data', () => void (/ -d '.*'\n/.test(said().out) && done()));
  });
  const early = await Promise.race([up, ended]);
  const banner = said().out;
  const [, url] = /^Learning Platform Sandbox at (\S+)$/m.exec(banner) ?? [];
  if (early !== undefined || url === undefined || child.pid === undefined)
    throw new Error(`It did not start: ${said().err}${banner}`);
  const stop = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { url, pid: child.pid, banner, said, ended, stop };
}

export interface Watched {
  readonly child: ChildProcess;
  readonly said: Program['said'];
  readonly ended: Promise<Ended>;
}

/** Starts `lp-sandbox`, whatever it does. */
export function watched(
  args: readonly string[],
  { program = lpSandbox, env = {}, cwd }: Surroundings,
): Watched {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SANDBOX_|NODE_OPTIONS$|VITEST)/.test(name),
  );
  const [command, ...words] = program;
  const child = spawn(command, [...words, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A folder without a configuration file of its own.
    cwd: cwd ?? tmpdir(),
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Ended>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done({ code, signal, out, err }));
  });
  return { child, said: () => ({ out, err }), ended };
}

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
