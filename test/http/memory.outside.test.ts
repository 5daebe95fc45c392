import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import supertest from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';

/** A server whose heap has so many MB, gone after the test at the latest. */
async function startWithin(megabytes: number): Promise<Program> {
  const program = await startProgram(['--port', '0', '--limits', 'off', '--log', 'silent'], {
    env: { NODE_OPTIONS: `--max-old-space-size=${megabytes}` },
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}

const body = JSON.stringify({ data: [{ data: { quizId: 'x'.repeat(60_000) } }] });

/** Calls of 60 kB by one key, several at once on one connection. Throws unless each is answered with 200. */
async function callOften({ url }: Program, key: string, times: number): Promise<void> {
  const head = ['POST /public/get-quiz-details HTTP/1.1', 'Host: sandbox.example', `SERVICE-API-KEY: ${key}`];
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const text = `${[...head, ...type].join('\r\n')}\r\n\r\n${body}`;
  await new Promise<void>((done, fail) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answered = 0;
    let sent = 0;
    let rest = '';
    const send = (): void => {
      for (; sent < times && sent < answered + 10; sent += 1) socket.write(text);
    };
    socket.setEncoding('latin1').on('data', (piece: string) => {
      const heard = rest + piece;
      const replies = heard.split('HTTP/1.1 200 ').length - 1;
      rest = replies === 0 ? heard.slice(-20) : heard.slice(heard.lastIndexOf('HTTP/1.1 200 ') + 13);
      answered += replies;
      if (answered >= times) socket.destroy();
      else send();
    });
    socket.once('close', () =>
      answered >= times ? done() : fail(new Error(`Only ${answered} of ${times} calls were answered.`)),
    );
    socket.once('error', fail);
    send();
  });
}

/** The most memory that a process has had, in MB; 0 on a system that does not tell. */
function peakOf({ pid }: Program): number {
  try {
    return Math.round(
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000,
    );
  } catch {
    return 0;
  }
}

it('six clients of the journal that never read cost next to nothing in 1,000 calls of 60 kB', async () => {
  const program = await startWithin(256);
  for (let number = 0; number < 6; number += 1) {
    const socket = connect(Number(new URL(program.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await new Promise<void>((done) => {
      socket.once('data', () => {
        socket.pause();
        done();
      });
      socket.write('GET /control/sandboxes/default/journal/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
  }
  await callOften(program, 'sbx_default_riverside', 1000);
  await supertest(program.url).get('/healthz').expect(200);
  expect(peakOf(program)).toBeLessThan(400);
}, 180_000);

it('30 sandboxes with 80 calls of 60 kB each share the memory of the journals', async () => {
  const program = await startWithin(128);
  for (let number = 0; number < 30; number += 1)
    await callOften(program, `sbx_client-${number}_riverside`, 80);
  const kept: number[] = [];
  for (let number = 0; number < 30; number += 1) {
    const { body: found } = await supertest(program.url)
      .get(`/control/sandboxes/client-${number}`)
      .expect(200);
    // As openapi/control.yaml has it.
    kept.push((found as { exchanges: number }).exchanges);
  }
  // A quarter of the heap is about 35 MB, for 30 sandboxes alike.
  expect(Math.min(...kept)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...kept.slice(0, -1)) - Math.min(...kept)).toBeLessThanOrEqual(2);
  expect(peakOf(program)).toBeLessThan(300);
}, 180_000);

/** A connection whose client sends a text and never closes its side. Resolves when the server has closed all of it. */
function closedByServer({ url }: Program, text: string): Promise<'closed'> {
  return new Promise((done) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    let sending: NodeJS.Timeout | undefined;
    // Only a connection that the server has forgotten refuses what comes.
    socket.resume().on('end', () => (sending = setInterval(() => socket.write('a'), 200)));
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(sending);
        done('closed');
      });
    socket.write(text);
  });
}

it.each([
  ['nothing', ''],
  ['half of the headers', 'GET / HTTP/1.1\r\nHost: sandbox.example\r\nX-'],
])(
  'a client that sends %s and never closes its side loses its connection',
  async (_, text) => {
    expect(await closedByServer(await startWithin(256), text)).toBe('closed');
  },
  30_000,
);

it('a call for which a small heap has no room is refused with the figures of the heap', async () => {
  const program = await startWithin(64);
  const calls = new AbortController();
  onTestFinished(() => calls.abort());
  const call = async (): Promise<Response> => {
    const reply = await fetch(`${program.url}/public/get-quiz-details`, {
      method: 'POST',
      headers: {
        'SERVICE-API-KEY': 'sbx_default_riverside',
        'Content-Type': 'application/json',
        'Sandbox-Fault': 'delay; ms=60000',
      },
      body: JSON.stringify({ data: [{ data: { quizId: '→'.repeat(300_000) } }] }),
      signal: calls.signal,
    });
    if (reply.status !== 503) throw new Error(`The status is ${reply.status}.`);
    return reply;
  };
  const refused = await Promise.any(Array.from({ length: 60 }, call));
  const [, heap, share] =
    /^(?:(heap; used=\d+; max=\d+)|(?:bodiesInFlight|waitingCalls)Bytes; max=(\d+))$/.exec(
      refused.headers.get('sandbox-limit') ?? '',
    ) ?? [];
  expect(heap !== undefined || Number(share) < 64 * 1_048_576).toBe(true);
  expect(await refused.text()).toContain('NODE_OPTIONS=--max-old-space-size=MB');
}, 180_000);

it('a heap of 64 MB is not filled by changed records, cached responses and journals', async () => {
  const program = await startWithin(64);
  const call = async (key: string, operation: string, data: readonly object[]): Promise<number> => {
    const reply = await fetch(`${program.url}/public/${operation}`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: data.map((one) => ({ data: one })) }),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const statuses = new Set<number>();
  for (let round = 0; round < 16; round += 1) {
    const accounts = Array.from({ length: 500 }, (_, index) => ({
      instructorEmail: `i${round}-${index}@school.example`,
      instructorName: '→'.repeat(480),
    }));
    statuses.add(await call(`sbx_s${round % 4}_riverside`, 'create-instructor-account', accounts));
  }
  expect(statuses).toEqual(new Set([200, 503]));
  for (let number = 0; number < 4; number += 1)
    expect(await call(`sbx_s${number}_riverside`, 'get-all-instructors', [{}])).toBe(200);
  for (let number = 0; number < 600; number += 1)
    expect(
      await call(`sbx_j${number % 10}_riverside`, 'get-quiz-details', [{ quizId: '→'.repeat(64_000) }]),
    ).toBe(200);
}, 180_000);
