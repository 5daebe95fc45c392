import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pinned } from './pinned.ts';

/** A server in a separate process. */
export interface Started {
  readonly port: number;
  /** Milliseconds from the start of the process to its first successful response. */
  readonly firstAnswerMs: number;
  /** The peak resident memory of the process in bytes, if the system reports it. */
  peakMemory(): number | null;
  /** Microseconds of processor time that the process has used, where the system tells. */
  usedTime(): number | null;
  /** The resident memory of the process in bytes, if the system reports it. */
  memory(): number | null;
  /** The bytes of its heap in use without garbage, if it was started with `tellingHeap`. */
  heap(): Promise<number>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The arguments of Node for a server that tells its heap. */
export const tellingHeap = ['--expose-gc', '--import', './bench/heap.mjs'];

const root = new URL('../', import.meta.url);

/** The first request to a server. */
interface FirstCall {
  readonly path: string;
  readonly body: string;
  /** Of the default sandbox, unless given. */
  readonly key?: string;
  /** What has to be there before. */
  readonly prepare?: (url: string) => Promise<void>;
}

/** Starts a program that prints its URL, and waits for its first successful response. */
export async function startServer(
  args: readonly string[],
  { path, body, key = 'sbx_default_riverside', prepare = async () => {} }: FirstCall,
): Promise<Started> {
  const start = performance.now();
  const [command, commandArguments] = pinned(args);
  const child = spawn(command, commandArguments, { cwd: root, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const port = await portOf(child);
  const url = `http://127.0.0.1:${port}`;
  await prepare(url);
  const headers = { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  await response.text();
  const firstAnswerMs = performance.now() - start;
  if (!response.ok) throw new Error(`The first call was answered with ${response.status}.`);
  return {
    port,
    firstAnswerMs,
    peakMemory: () => memoryOf(child.pid, 'VmHWM'),
    memory: () => memoryOf(child.pid, 'VmRSS'),
    usedTime: () => usedTimeOf(child.pid),
    heap: () =>
      new Promise((told) => {
        child.once('message', (bytes) => told(Number(bytes)));
        child.send('heap');
      }),
    stop: (signal = 'SIGTERM') =>
      new Promise((done) => {
        child.once('exit', () => done());
        child.kill(signal);
      }),
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((found, fail) => {
    let printed = '';
    child.once('exit', () => fail(new Error(`The server ended before it printed its URL: ${printed}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) found(Number(port));
    });
  });
}

function memoryOf(pid: number | undefined, figure: 'VmHWM' | 'VmRSS'): number | null {
  try {
    const kilobytes = new RegExp(`${figure}:\\s+(\\d+)`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

function usedTimeOf(pid: number | undefined): number | null {
  const process = statOf(String(pid));
  return process === null ? null : ticksIn(process, 2) * tickUs;
}

/** Linux counts in hundredths of a second. */
const tickUs = 10_000;

/** Microseconds of processor time that a process and all that it has started have used; 0 on systems other than Linux. */
export function usedTimeOfFamily(parent: number | undefined): number {
  const children = (existsSync('/proc') ? readdirSync('/proc') : [])
    .map(statOf)
    .filter((process) => process?.[1] === String(parent));
  const ticks = children.reduce((sum, child) => sum + ticksIn(child, 2), ticksIn(statOf(String(parent)), 4));
  return ticks * tickUs;
}

/** Adds the first of these: user and system time of a process, user and system time of its children that have ended. */
function ticksIn(process: readonly string[] | null, count: 2 | 4): number {
  return (process ?? []).slice(11, 11 + count).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** The figures that Linux has of a process, after its name; null on other systems. */
function statOf(pid: string): readonly string[] | null {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}
