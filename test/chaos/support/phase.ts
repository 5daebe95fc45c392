import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { onTestFinished, type TestContext } from 'vitest';
import { operationNames } from '../../../src/contract/operation-types.ts';
import { lpSandbox, startProgram, type Ended, type Program } from '../../support/command.ts';
import { moment, requestExamples, responseExamples } from '../../support/examples.ts';
import type { BystanderOrder, BystanderResult } from '../bystander.ts';
import type { PhaseRow } from '../table.ts';
import { ask } from './connection.ts';

/** The server that a phase attacks. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  /** How the process ended if it ended by itself; null while it lives. */
  crash(): Ended | null;
  /** How many files and connections the process has open; null where the system does not tell. */
  descriptors(): number | null;
  /** Counts requests for the table. */
  sent(count?: number): void;
  /** Notes something that must not be. A response with an unexpected status 5xx is counted as such. */
  wrong(what: string, status?: number): void;
  /** Text for the end of the table. */
  note(text: string): void;
}

export interface PhaseOptions {
  readonly args?: readonly string[];
  /** Flags of Node itself, such as the limit of its memory. */
  readonly nodeFlags?: readonly string[];
  /** How many files and connections the process may have open. */
  readonly maxDescriptors?: number;
  /** What the resident memory of the server must stay below. */
  readonly maxMemoryMiB: number;
  /** How often the bystander calls. */
  readonly everyMs?: number;
  /** How many connections the bystander may have; a new one cannot be had where descriptors are short. */
  readonly connections?: number;
  /** Failures that the attack means to cause, by the first line of what the server logs about each. */
  readonly expectedErrors?: RegExp;
  /** Stops the server in a way of its own. */
  readonly stop?: (target: Target, program: Program) => Promise<void>;
}

const maxListed = 10;

/**
 * Runs an attack on a server of its own while a bystander calls it. Throws if anything about the server or
 * the bystander was wrong.
 */
export async function phase(
  { task }: Pick<TestContext, 'task'>,
  options: PhaseOptions,
  attack: (target: Target) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  const program = await startServer(options);
  const wrongs: string[] = [];
  const tally = { requests: 0, unexpected: 0, wrong: 0 };
  let note: string | undefined;
  let crashed: Ended | null = null;
  let stopping = false;
  void program.ended.then((ended) => void (stopping || (crashed = ended)));
  const target: Target = {
    port: Number(new URL(program.url).port),
    pid: program.pid,
    crash: () => crashed,
    descriptors: () => descriptorsOf(program.pid),
    sent: (count = 1) => void (tally.requests += count),
    wrong: (what, status = 0) => {
      tally.wrong += 1;
      if (status >= 500) tally.unexpected += 1;
      if (wrongs.length < maxListed) wrongs.push(what);
    },
    note: (text) => (note = text),
  };
  // A process that has crashed tells nothing any more.
  const used: { memory: number | null; cpu: number | null } = { memory: null, cpu: null };
  const look = (): void => {
    used.memory = peakMemoryOf(program.pid) ?? used.memory;
    used.cpu = processorTimeOf(program.pid) ?? used.cpu;
  };
  const looking = setInterval(look, 500);
  const finishBystander = await startBystander(target.port, options);
  try {
    await attack(target);
  } catch (error) {
    target.wrong(
      `The attack failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  const bystander = await finishBystander();
  if (crashed === null) await stillServes(target);
  clearInterval(looking);
  look();
  const crash: Ended | null = target.crash();
  stopping = true;
  if (crash === null && options.stop !== undefined) await options.stop(target, program);
  const ended = crash ?? (await program.stop('SIGTERM'));
  const row: PhaseRow = {
    phase: task.name,
    requests: tally.requests,
    bystanderCalls: bystander.calls,
    bystanderFailed: bystander.failed,
    p50: bystander.p50,
    p99: bystander.p99,
    max: bystander.max,
    ...used,
    crashes: crash === null ? 0 : 1,
    unexpected: tally.unexpected,
    seconds: (performance.now() - started) / 1000,
    ...(note === undefined ? {} : { note }),
  };
  task.meta.phases = [...(task.meta.phases ?? []), row];
  if (crash !== null) wrongs.unshift(`The server ended: exit code ${crash.code}, signal ${crash.signal}.`);
  else if (ended.code !== 0) wrongs.push(`After SIGTERM: exit code ${ended.code}, signal ${ended.signal}.`);
  const logged = unexpectedErrors(ended.err, options.expectedErrors);
  if (logged !== '') wrongs.push(`On its standard error: ${logged.slice(0, 3000)}`);
  if (bystander.failed > 0)
    wrongs.push(
      `The bystander: ${bystander.failed} of ${bystander.calls} calls failed. ${bystander.failures.join(' | ')}`,
    );
  if (bystander.calls === 0) wrongs.push('The bystander made no call.');
  if (used.memory !== null && used.memory > options.maxMemoryMiB)
    wrongs.push(`Memory: ${used.memory.toFixed(0)} MiB, above ${options.maxMemoryMiB} MiB.`);
  const more = tally.wrong > maxListed ? `\n\nand ${tally.wrong - maxListed} more` : '';
  if (wrongs.length > 0) throw new Error(`${wrongs.join('\n\n')}${more}`);
}

/**
 * What a server has logged, without the failures that are expected: each is a line, with its stack in
 * indented lines below.
 */
function unexpectedErrors(text: string, expected: RegExp | undefined): string {
  const entries = text.split(/\n(?=\S)/).filter((entry) => entry.trim() !== '');
  return entries.filter((entry) => expected?.test(entry.split('\n')[0] ?? '') !== true).join('\n');
}

/**
 * A server that is gone after the test. Rate limits are off, so that an answer depends on nothing but the
 * call.
 */
export async function startServer({
  args = [],
  nodeFlags = [],
  maxDescriptors,
}: Omit<PhaseOptions, 'maxMemoryMiB'>): Promise<Program> {
  const [node, main] = lpSandbox;
  const limited =
    maxDescriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$@"`, 'sh'];
  const [first, ...rest] = [...limited, node, ...nodeFlags, main];
  const program = await startProgram(['--port', '0', '--limits', 'off', ...args], {
    program: [first ?? node, ...rest],
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

/** Starts the bystander in a sandbox of its own. Call what it returns to end it. */
async function startBystander(
  port: number,
  { everyMs = 25, connections = 4 }: PhaseOptions,
): Promise<() => Promise<BystanderResult>> {
  const { status, body } = await ask(port, 'POST', '/control/sandboxes', {
    body: { id: 'bystander', seed: 'demo', clock: { mode: 'frozen', now: moment } },
  });
  if (status !== 201) throw new Error(`The bystander got no sandbox: ${status} ${body.toString()}`);
  const child = fork('test/chaos/bystander.ts', [], {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env['PATH'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const messages: Record<string, unknown>[] = [];
  let wake: (() => void) | null = null;
  child.on('message', (message) => {
    // The bystander sends objects alone.
    messages.push(message as Record<string, unknown>);
    wake?.();
  });
  const answer = async (): Promise<Record<string, unknown>> => {
    while (messages.length === 0) {
      if (!child.connected) throw new Error('The bystander ended by itself.');
      await new Promise<void>((done) => {
        wake = done;
        child.once('disconnect', done);
      });
    }
    return messages.shift() ?? {};
  };
  const order: BystanderOrder = {
    port,
    key: 'sbx_bystander_riverside',
    everyMs,
    connections,
    calls: bystanderCalls(),
  };
  child.send(order);
  const begun = await answer();
  if (begun['ready'] !== true) throw new Error(`The bystander did not begin: ${String(begun['failed'])}`);
  return async () => {
    if (!child.connected) throw new Error('The bystander ended by itself.');
    child.send('finish');
    // What `bystander.ts` sends at the end.
    return (await answer())['result'] as BystanderResult;
  };
}

/** For each operation its documented example of a success. */
function bystanderCalls(): BystanderOrder['calls'] {
  return operationNames.map((operation) => {
    const success = responseExamples(operation).find(
      ({ status, value }) =>
        status === 200 && value.length === 1 && value.every(({ output }) => output.status === 'ok'),
    );
    const request = requestExamples(operation)[success?.name ?? ''];
    if (request === undefined) throw new Error(`${operation} has no example of a success.`);
    return { operation, body: JSON.stringify(request.value) };
  });
}

/** When the attack is over, the server serves as before, and has closed what the attackers opened. */
async function stillServes(target: Target): Promise<void> {
  for (const path of ['/healthz', '/', '/control/sandboxes', '/metrics', '/docs', '/console']) {
    try {
      const { status } = await ask(target.port, 'GET', path);
      if (status !== 200) target.wrong(`After the attack, GET ${path} is answered with ${status}.`, status);
    } catch (error) {
      target.wrong(`After the attack: ${String(error)}`);
    }
  }
}

function peakMemoryOf(pid: number): number | null {
  const kibibytes = /VmHWM:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) / 1024;
}

/** In user mode and in the kernel; Linux counts hundredths of a second. */
function processorTimeOf(pid: number): number | null {
  const fields = readIfThere(`/proc/${pid}/stat`).split(') ')[1]?.split(' ');
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) / 100;
}

function descriptorsOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
