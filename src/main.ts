#!/usr/bin/env node
import { helpText, understand } from './commands/arguments.ts';
import { CannotRun } from './commands/child.ts';
import { calibrate } from './commands/calibrate/command.ts';
import type { Command } from './commands/command.ts';
import { errorText } from './commands/error-text.ts';
import { compare } from './commands/compare/command.ts';
import { exec } from './commands/exec/command.ts';
import { generate } from './commands/generate/command.ts';
import { matrix } from './commands/matrix/command.ts';
import { proxy } from './commands/proxy/command.ts';
import { ready } from './commands/ready/command.ts';
import { record } from './commands/record/command.ts';
import { replay } from './commands/replay/command.ts';
import { report } from './commands/report/command.ts';
import { start } from './commands/start/command.ts';
import { after } from './sandbox/clock.ts';
import { SandboxError } from './base/errors.ts';
import { packageVersion } from './base/package-files.ts';

const commands: readonly Command[] = [
  start,
  exec,
  matrix,
  report,
  generate,
  proxy,
  record,
  calibrate,
  compare,
  replay,
  ready,
];

/**
 * The maximum output that waits for its reader, in characters or bytes. Beyond it, output such as log lines
 * is dropped.
 */
const maxUnread = 8 * 1024 * 1024;

/** The exit code if the standard output could not be written. */
const lostOutput = 1;

const err = writerTo(process.stderr, () => {});
const out = writerTo(process.stdout, (error) => {
  // The reader has seen all that it wanted, as in `lp-sandbox --help | head -1`.
  if (error.code === 'EPIPE' || process.exitCode === lostOutput) return;
  process.exitCode = lostOutput;
  err(`lp-sandbox: cannot write to the standard output: ${error.message}\n`);
});

/** Without a listener, an error of the output would end the process. */
function writerTo(
  stream: NodeJS.WriteStream,
  onError: (error: NodeJS.ErrnoException) => void,
): (text: string) => void {
  stream.on('error', onError);
  return (text) => {
    if (stream.writableLength <= maxUnread) stream.write(text);
  };
}

/**
 * Exit codes: 0 success, 1 failure, 2 usage error, 3 a threshold was missed or a difference was found, 4
 * `calibrate` could determine nothing; or that of the program that `exec` ran.
 */
async function main(args: readonly string[], stopped: Promise<void>): Promise<number> {
  try {
    const request = understand(args, commands, start);
    if (request.kind === 'help')
      out(helpText(request.command, commands, start, process.stdout.isTTY ? process.stdout.columns : null));
    if (request.kind === 'version') out(`${packageVersion()}\n`);
    if (request.kind !== 'run') return 0;
    return await request.command.run({
      given: request.given,
      program: request.program,
      environment: process.env,
      out,
      err,
      terminals: {
        // Node opens the standard input when it is first asked for, which few commands do.
        get in() {
          return process.stdin.isTTY;
        },
        out: process.stdout.isTTY,
        err: process.stderr.isTTY,
      },
      processId: process.pid,
      stopped,
      surviveDefects,
      onSignal,
      signalGroup,
    });
  } catch (error) {
    err(`lp-sandbox: ${errorText(error, args, process.env)}\n`);
    if (error instanceof SandboxError) err('Run lp-sandbox --help for usage.\n');
    if (error instanceof CannotRun) return error.code;
    return error instanceof SandboxError ? 2 : 1;
  }
}

function stopSignal(): Promise<void> {
  return new Promise((stop) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const stopOnce = (): void => {
      // A second signal ends the process immediately.
      for (const signal of signals) process.off(signal, stopOnce);
      stop();
    };
    for (const signal of signals) process.on(signal, stopOnce);
    if (process.env['npm_lifecycle_event'] === 'start') whenOrphaned(process.ppid, stop);
  });
}

function surviveDefects(): void {
  process.on('uncaughtException', (error) => {
    err(`lp-sandbox: uncaught error. This is a bug in the sandbox; the server continues. ${error.stack}\n`);
  });
}

function onSignal(listener: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
    process.on(signal, () => listener(signal));
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    // Windows has no process groups.
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    // All processes of the group have ended.
  }
}

/**
 * Stops when the parent process ends: `npm start` runs a shell, which does not forward signals to this
 * process.
 */
function whenOrphaned(parent: number, stop: () => void): void {
  after(500, () => (process.ppid === parent ? whenOrphaned(parent, stop) : stop()));
}

const stopped = stopSignal();
const code = await main(process.argv.slice(2), stopped);
if (code !== 0 || process.exitCode === undefined) process.exitCode = code;
// Work that cannot be cancelled, such as a DNS lookup, must not delay the stop.
void stopped.then(() => after(500, () => process.exit()));
