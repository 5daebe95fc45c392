import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { expect, onTestFinished } from 'vitest';
import { understand } from '../../src/commands/arguments.ts';
import type { Command, Invocation } from '../../src/commands/command.ts';
import { start } from '../../src/commands/start/command.ts';
import { eventually } from './eventually.ts';

/** A command that runs inside the test. */
export interface Invoked {
  readonly code: Promise<number>;
  /** What it has said so far. */
  said(): { readonly out: string; readonly err: string };
  /** What a signal to the program would do. */
  signal(signal: NodeJS.Signals): void;
}

interface Given {
  readonly env?: NodeJS.ProcessEnv;
  readonly terminals?: Partial<Invocation['terminals']>;
  /** A signal that comes before anything is done. */
  readonly early?: NodeJS.Signals;
  /** Resolves when the process is asked to stop; never where none is given. */
  readonly stopped?: Promise<void>;
}

/** Invokes a command as `lp-sandbox` does, with the arguments behind its name. */
export function invoke(
  command: Command,
  args: readonly string[],
  { env = {}, terminals = {}, early, stopped = new Promise(() => {}) }: Given = {},
): Invoked {
  const said = { out: '', err: '' };
  const listeners: ((signal: NodeJS.Signals) => void)[] = [];
  const stop = new AbortController();
  const signal = (sent: NodeJS.Signals): void => {
    if (sent === 'SIGTERM' || sent === 'SIGINT') stop.abort();
    listeners.forEach((listener) => listener(sent));
  };
  const run = async (): Promise<number> => {
    const request = understand([command.name, ...args], [command], command);
    if (request.kind !== 'run') throw new Error(`It asks for words: ${request.kind}.`);
    return command.run({
      given: request.given,
      program: request.program,
      environment: { ...withoutSandbox(process.env), ...env },
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      terminals: { in: false, out: false, err: false, ...terminals },
      processId: process.pid,
      stopped: Promise.race([
        stopped,
        new Promise<void>((done) => stop.signal.addEventListener('abort', () => done())),
      ]),
      surviveDefects: () => {},
      onSignal: (listener) => {
        listeners.push(listener);
        if (early !== undefined) listener(early);
      },
      signalGroup,
    });
  };
  return { code: run(), said: () => said, signal };
}

/**
 * `lp-sandbox start` inside the test: as `startProgram`, but in no process of its own, which takes much
 * longer. It stops after the test.
 */
export async function startHere(args: readonly string[], given: Given = {}) {
  const { code, said, signal } = invoke(start, args, given);
  const stop = async () => {
    signal('SIGTERM');
    return { code: await code, ...said() };
  };
  onTestFinished(() => void stop().catch(() => {}));
  const up = eventually(() => expect(said().out).toMatch(/^Learning Platform Sandbox at .* -d '.*'$/ms));
  await Promise.race([up, code]);
  const banner = said().out;
  const [, url = ''] = /^Learning Platform Sandbox at (\S+)$/m.exec(banner) ?? [];
  return { url, banner, said, stop };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // Nobody of it is left.
  }
}

function withoutSandbox(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(SANDBOX_|NODE_OPTIONS$|VITEST)/.test(name)),
  );
}

/** Whether a process is there, and more than what is left until somebody asks how it ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without such a file, as on macOS, it is there.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && platform() !== 'linux';
  }
}
