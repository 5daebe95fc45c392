import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Running } from '../../src/server/server.ts';
import { pause } from '../support/crash-load.ts';
import { quiz } from '../support/demo.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { openWire } from '../support/wire.ts';

let postgres: Postgres;
let owner: string;
let other: string;
const running: Running[] = [];
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await postgres.end();
});

async function replica(data: string): Promise<string> {
  const port = await unassignedPort();
  const advertise = `http://127.0.0.1:${port}`;
  running.push(
    await startServer(
      { port, data, advertise, replicaSecret: 'secret-of-all-replicas' },
      { out: () => {}, err: (line) => process.stderr.write(line), owner: advertise },
    ),
  );
  return advertise;
}

const id = 'relayed';
const body = JSON.stringify({ data: [{ data: { quizId: quiz.id } }] });

/** Starts two replicas, the first of which has the sandbox in memory. */
async function start(): Promise<void> {
  const data = await postgres.database();
  owner = await replica(data);
  other = await replica(data);
  const created = await fetch(`${owner}/control/sandboxes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id }),
  });
  expect(created.status).toBe(201);
  const headers = { 'SERVICE-API-KEY': `sbx_${id}_riverside`, 'Content-Type': 'application/json' };
  const first = await fetch(`${owner}/public/get-quiz-details`, { method: 'POST', headers, body });
  expect(first.status).toBe(200);
}

/** A call to the sandbox. */
function text(headers: readonly string[], version = '1.1', sent = body): string {
  const all = [
    `POST /public/get-quiz-details HTTP/${version}`,
    'Host: sandbox.example',
    `SERVICE-API-KEY: sbx_${id}_riverside`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(sent)}`,
    ...headers,
  ];
  return `${all.join('\r\n')}\r\n\r\n${sent}`;
}

/** What a client gets that sends a request and waits for the end of the connection. */
async function exchange(baseUrl: string, request: string): Promise<{ bytes: string; ended: string }> {
  const wire = await openWire({ baseUrl });
  wire.send(request);
  const ended = await wire.ended;
  return { bytes: withoutChance(wire.heard()), ended };
}

interface Entry {
  readonly requestHeaders: object;
  readonly receivedAt: string;
  readonly durationMs: number;
  readonly clientLeft: boolean;
}

/** The newest entries of the journal, the newest first. */
async function newest(limit = 1): Promise<readonly Entry[]> {
  const journal = await fetch(`${owner}/control/sandboxes/${id}/journal?limit=${limit}`);
  // The contract of the control plane says so.
  return ((await journal.json()) as { entries: Entry[] }).entries;
}

/** Without what differs from one call to the next. */
function withoutChance(bytes: string): string {
  return bytes
    .replaceAll(/^Date: .*$/gm, 'Date: then')
    .replaceAll(/relayed-\d+/g, 'relayed-N')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
}

describe('a call that another replica relays', () => {
  beforeAll(start, 60_000);

  const faults = [
    'garbage',
    'reset',
    'reset; bytes=40',
    'empty-response',
    'truncated-body',
    'malformed-json',
    'slow-body; bytes=200; ms=1',
    'html-error-page',
    'http-error; status=503',
    'http-error; status=421',
    'wrong-content-type',
  ];
  it.for(faults)('gets the bytes and the end that %s causes at its owner', async (fault) => {
    const request = text([`Sandbox-Fault: ${fault}`, 'Connection: close']);
    const direct = await exchange(owner, request);
    expect(await exchange(other, request)).toEqual(direct);
  });

  it.for([
    ['a header that Connection names', ['Connection: close, X-Named', 'X-Named: 1'], '1.1'],
    ['HTTP/1.0', [], '1.0'],
    ['TE', ['TE: trailers', 'Connection: close'], '1.1'],
  ] as const)('is journaled as it was sent, with %s', async ([, headers, version]) => {
    const shown: unknown[] = [];
    for (const at of [owner, other]) {
      await exchange(at, text(headers, version));
      shown.push((await newest())[0]?.requestHeaders);
    }
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[0]).toHaveProperty('service-api-key');
  });

  it('is one of several that were sent at once, and all are answered in order', async () => {
    const wire = await openWire({ baseUrl: other });
    wire.send(text(['Sandbox-Fault: delay; ms=200']) + text([]).repeat(4));
    const heard = await wire.hear((all) => all.split('HTTP/1.1 200').length === 6 && all.endsWith(']'));
    const numbers = [...heard.matchAll(/relayed-(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThanOrEqual(5);
    expect(numbers).toEqual(numbers.toSorted((one, next) => one - next));
    const times = (await newest(5))
      .map(({ receivedAt, durationMs }) => ({ began: Date.parse(receivedAt), took: durationMs }))
      .toSorted((one, next) => one.began - next.began);
    expect(times[0]?.took).toBeGreaterThanOrEqual(200);
    // Otherwise, an update could take effect before the creation in front of it.
    expect((times[1]?.began ?? 0) - (times[0]?.began ?? 0)).toBeGreaterThanOrEqual(199);
    // The connection is still of use.
    wire.send(text([]));
    await wire.hear((all) => all.split('HTTP/1.1 200').length === 7 && all.endsWith(']'));
    wire.hangUp();
  });

  it('is recorded as left if its client disconnects while it is delayed', async () => {
    const wire = await openWire({ baseUrl: other });
    wire.send(text(['Sandbox-Fault: delay; ms=60000']));
    await pause(200);
    wire.hangUp();
    await expect.poll(async () => (await newest())[0]?.clientLeft).toBe(true);
  });

  it.for([
    ['none', []],
    ['one of its own', ['Sandbox-Forwarded: secret 192.0.2.1 1']],
    ['two of its own', ['Sandbox-Forwarded: one', 'sandbox-forwarded: other']],
  ] as const)('has no header of the replicas in its journal entry, sent with %s', async ([, own]) => {
    const wire = await openWire({ baseUrl: other });
    wire.send(text([...own, 'Connection: close']));
    await wire.ended;
    const journal = JSON.stringify(await newest());
    expect(journal).toContain('sandbox.example');
    expect(journal).toContain(`127.0.0.1:${wire.port}`);
    expect(journal).not.toContain('secret-of-all-replicas');
    expect(journal).not.toContain('sandbox-forwarded');
  });

  it('is answered when it arrives in parts, or its body is large', async () => {
    const wire = await openWire({ baseUrl: other });
    const whole = text([]);
    wire.send(whole.slice(0, -10));
    await pause(100);
    wire.send(whole.slice(-10));
    await wire.hear((heard) => heard.includes('HTTP/1.1 200') && heard.endsWith(']'));
    const large = JSON.stringify({ data: [{ data: { quizId: quiz.id, pad: 'x'.repeat(200_000) } }] });
    wire.send(text([], '1.1', large));
    await wire.hear((heard) => heard.split('HTTP/1.1 ').length === 3 && heard.endsWith(']'));
    wire.hangUp();
  });
});
