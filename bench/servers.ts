import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
  stop(): Promise<void>;
}

const root = new URL('../', import.meta.url);

/** Starts a program that prints its URL, and waits for its first successful response. */
export async function startServer(
  args: readonly string[],
  firstCall: { path: string; body: string },
): Promise<Started> {
  const start = performance.now();
  const [command, commandArguments] = pinned(args);
  const child = spawn(command, commandArguments, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child);
  const headers = { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${firstCall.path}`, {
    method: 'POST',
    headers,
    body: firstCall.body,
  });
  await response.text();
  const firstAnswerMs = performance.now() - start;
  if (!response.ok) throw new Error(`The first call was answered with ${response.status}.`);
  return {
    port,
    firstAnswerMs,
    peakMemory: () => peakMemoryOf(child.pid),
    usedTime: () => usedTimeOf(child.pid),
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done());
        child.kill('SIGTERM');
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

function peakMemoryOf(pid: number | undefined): number | null {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

/** Linux counts in hundredths of a second. */
function usedTimeOf(pid: number | undefined): number | null {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return null;
  }
}
