/**
 * How fast replicas on PostgreSQL are, beside a server with its sandboxes in memory. `npm run bench:hosted`, after
 * installing `postgresql` and `haproxy`; `-- --quick` for a shorter look, `-- costs drain` for these parts only. Everything is on this machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Postgres } from '../test/support/postgres.ts';
import { load, type Measured } from './load.ts';
import { benchedOperations, measureOperations, median } from './operations.ts';
import { pinTheLoad } from './pinned.ts';
import { startServer, tellingHeap, usedTimeOfFamily, type Started } from './servers.ts';

const isQuick = process.argv.includes('--quick');
const connections = 16;
const extent = { connections, rounds: isQuick ? 2 : 3, roundMs: isQuick ? 500 : 1500 };
const [deaths, drained, many] = isQuick ? [5, 200, 1000] : [30, 2000, 10_000];

const read = {
  path: '/public/get-quiz-details',
  body: '{"data":[{"data":{"quizId":"9d5afed5df87086d04584dbf"}}]}',
};
const write = {
  path: '/public/create-instructor-account',
  body: '{"data":[{"data":{"instructorEmail":"bench@bench.example","instructorName":"Bench"}}]}',
};

/** Stores a change each time, unlike `write`, which changes something only in a new sandbox. */
const change = {
  path: '/public/update-digital-product-coupon',
  body: JSON.stringify(
    benchedOperations().find(({ name }) => name === 'update-digital-product-coupon')?.success,
  ),
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shown = (ms: number): string => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
const keyOf = (id: string): string => `sbx_${id}_riverside`;

/** The median, the 99th percentile and the highest of some durations. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN;
  return `p50 ${shown(median(values))}, p99 ${shown(p99)}, worst ${shown(sorted.at(-1) ?? Number.NaN)}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function create(url: string, id: string): Promise<void> {
  const reply = await fetch(`${url}/control/sandboxes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id }),
  });
  await reply.text();
  if (!reply.ok && reply.status !== 409) throw new Error(`The sandbox was not created: ${reply.status}`);
}

/** Sends a call. Returns whether it succeeded. */
async function call(url: string, id: string, { path, body }: typeof read = read): Promise<boolean> {
  try {
    const headers = { 'SERVICE-API-KEY': keyOf(id), 'Content-Type': 'application/json', Connection: 'close' };
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    await reply.text();
    return reply.ok;
  } catch {
    return false;
  }
}

/** Runs something for each number, some at a time. */
async function forEach(count: number, act: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** Starts a server with a sandbox of the name that the calls are to. */
function start(
  id: string,
  more: readonly string[],
  port = 0,
  node: readonly string[] = [],
): Promise<Started> {
  const args = [...node, 'dist/bundle/main.js', '--port', String(port), '--log', 'silent', ...more];
  return startServer(args, { ...read, key: keyOf(id), prepare: (url) => create(url, id) });
}

async function replica(
  data: string,
  id: string,
  more: readonly string[] = [],
  known?: number,
  node: readonly string[] = [],
): Promise<Started> {
  const port = known ?? (await freePort());
  const sharing = ['--advertise', `http://127.0.0.1:${port}`, '--replica-secret', 'secret-of-all-replicas'];
  return start(id, ['--data', data, ...sharing, ...more], port, node);
}

async function throughput(
  postgres: Postgres,
  limits: string,
  names: readonly string[],
  clients = connections,
): Promise<void> {
  const flags = ['--limits', limits];
  const embedded = await start('bench', flags);
  const owner = await replica(await postgres.database(), 'bench', flags);
  say(`\nCalls at the owner of their sandbox, with --limits ${limits}, on ${clients} connections:\n`);
  say('| operation | body | replica, per second | p99 | CPU | in memory, per second | p99 | ratio |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  await measureOperations(
    { sandbox: owner, bare: embedded },
    { ...extent, connections: clients, key: keyOf('bench') },
    {
      names,
      onRow: ({ operation, what, ours, bare, ratio }) => {
        const figures = [
          ours.perSecond.toFixed(0),
          shown(ours.p99),
          ours.microsecondsEach === null ? 'not told here' : `${ours.microsecondsEach.toFixed(0)} µs`,
          bare.perSecond.toFixed(0),
          shown(bare.p99),
        ];
        say(`| ${[operation, what, ...figures, ratio.toFixed(2)].join(' | ')} |`);
      },
    },
  );
  await Promise.all([owner.stop(), embedded.stop()]);
}

/** Writes at half of the rate that is possible. */
async function halfLoad(postgres: Postgres): Promise<void> {
  const owner = await replica(await postgres.database(), 'bench', ['--limits', 'off']);
  const target = { ...change, port: owner.port, key: keyOf('bench') };
  const { perSecond } = await load(target, connections, extent.roundMs * 2);
  const half = await load(target, connections, extent.roundMs * 4, perSecond / 2);
  say(
    `\nWrites at half load (${half.perSecond.toFixed(0)} of ${perSecond.toFixed(0)} per second): p50 ${shown(half.p50)}, p99 ${shown(half.p99)}, worst ${shown(half.worst)}`,
  );
  await owner.stop();
}

/** What calls to many sandboxes cost a replica and the database. */
async function costs(postgres: Postgres): Promise<void> {
  const ids = Array.from({ length: 64 }, (_, number) => `c${number}`);
  say('\nCalls to 64 sandboxes in turn, on 4 connections each:\n');
  say('| call | per second | p99 | CPU of the replica | CPU of PostgreSQL | WAL per call |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (const [name, what, limits] of [
    ['a read, not counted', read, 'off'],
    ['a read that a rate limit counts', read, '1000000000'],
    ['a write, not counted', change, 'off'],
    ['a write that a rate limit counts', change, '1000000000'],
  ] as const) {
    const data = await postgres.database();
    const owner = await replica(data, 'bench', ['--limits', limits]);
    for (const id of ids) await create(`http://127.0.0.1:${owner.port}`, id);
    const loadAll = (ms: number): Promise<readonly Measured[]> =>
      Promise.all(ids.map((id) => load({ ...what, port: owner.port, key: keyOf(id) }, 4, ms)));
    await loadAll(extent.roundMs);
    const used = async (): Promise<readonly number[]> => [
      owner.usedTime() ?? Number.NaN,
      usedTimeOfFamily(postgres.pid),
      await walBytes(postgres, data),
    ];
    const before = await used();
    const all = await loadAll(extent.roundMs * 2);
    const after = await used();
    const perSecond = all.reduce((sum, one) => sum + one.perSecond, 0);
    const calls = (perSecond * extent.roundMs * 2) / 1000;
    const [own, engine, wal] = after.map((value, at) => ((value - (before[at] ?? 0)) / calls).toFixed(0));
    const p99 = median(all.map((one) => one.p99));
    say(`| ${name} | ${perSecond.toFixed(0)} | ${shown(p99)} | ${own} µs | ${engine} µs | ${wal} bytes |`);
    await owner.stop();
  }
}

/** The bytes that the database has written to its log of changes. */
async function walBytes(postgres: Postgres, data: string): Promise<number> {
  const [row] = await postgres.query(
    data,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  );
  return Number(row?.['bytes']);
}

async function forwarded(postgres: Postgres): Promise<void> {
  const data = await postgres.database();
  const flags = ['--limits', 'off'];
  const owner = await replica(data, 'owned', flags);
  const other = await replica(data, 'other', flags);
  const used = (): number => (owner.usedTime() ?? Number.NaN) + (other.usedTime() ?? Number.NaN);
  const measure = async (port: number): Promise<number> => {
    const target = { ...read, port, key: keyOf('owned') };
    await load(target, connections, extent.roundMs);
    const before = used();
    const { perSecond } = await load(target, connections, extent.roundMs * 2);
    return (used() - before) / ((perSecond * extent.roundMs * 2) / 1000);
  };
  const direct = await measure(owner.port);
  const through = await measure(other.port);
  say(
    `\nA read takes ${direct.toFixed(0)} µs of CPU at the owner, and ${through.toFixed(0)} µs of both replicas if it is forwarded: ${(through / direct).toFixed(1)} times as much`,
  );
  await Promise.all([owner.stop(), other.stop()]);
}

/** From the end of an owner to the first successful call at another replica. */
async function takeovers(postgres: Postgres, balancer: 'direct' | 'haproxy'): Promise<void> {
  const data = await postgres.database();
  const ports = [await freePort(), await freePort()];
  const replicas: Started[] = [];
  for (const port of ports) replicas.push(await replica(data, `r${port}`, [], port));
  const proxy = balancer === 'haproxy' ? await haproxy(ports) : null;
  const times: number[] = [];
  for (let death = 0; death < deaths; death += 1) {
    const at = death % 2;
    const [dying, staying] = [replicas[at], replicas[1 - at]];
    if (dying === undefined || staying === undefined) throw new Error('There is no replica.');
    const id = `taken-${death}`;
    await create(`http://127.0.0.1:${dying.port}`, id);
    await call(`http://127.0.0.1:${dying.port}`, id, write);
    const url = `http://127.0.0.1:${proxy?.port ?? staying.port}`;
    const killed = performance.now();
    await dying.stop('SIGKILL');
    while (!(await call(url, id)));
    times.push(performance.now() - killed);
    replicas[at] = await replica(data, `r${ports[at]}`, [], ports[at]);
    await new Promise((done) => void setTimeout(done, 600));
  }
  say(`\nFrom the kill of an owner to a successful call (${balancer}, ${deaths} kills): ${spread(times)}`);
  await Promise.all(replicas.map((one) => one.stop()));
  proxy?.stop();
}

async function haproxy(ports: readonly number[]): Promise<{ readonly port: number; stop(): void }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-bench-'));
  const file = join(folder, 'haproxy.cfg');
  const text = readFileSync(new URL('../deploy/haproxy.cfg', import.meta.url), 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll(/^ *server .*\n/gm, '');
  const servers = ports.map((one, at) => `  server r${at} 127.0.0.1:${one}\n`);
  writeFileSync(file, `${text}${servers.join('')}`);
  const program = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((done) => void setTimeout(done, 1000));
  return {
    port,
    stop: () => {
      program.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

async function drain(postgres: Postgres): Promise<void> {
  const data = await postgres.database();
  const leaving = await replica(data, 'leaving');
  const staying = await replica(data, 'staying');
  const url = `http://127.0.0.1:${leaving.port}`;
  await forEach(drained, async (number) => {
    await create(url, `d${number}`);
    await call(url, `d${number}`, write);
  });
  const before = performance.now();
  await leaving.stop();
  const ms = performance.now() - before;
  const first = performance.now();
  const isThere = await call(`http://127.0.0.1:${staying.port}`, `d${drained - 1}`);
  say(
    `\nA replica with ${drained} sandboxes stops within ${shown(ms)} after SIGTERM. Afterwards, the first call to one of them takes ${shown(performance.now() - first)}${isThere ? '' : ' and fails'}`,
  );
  await staying.stop();
}

async function manySandboxes(postgres: Postgres): Promise<void> {
  const data = await postgres.database();
  const most = Math.round(many / 10);
  const flags = ['--max-sandboxes', String(most)];
  const begin = (id: string): Promise<Started> => replica(data, id, flags, undefined, tellingHeap);
  const replicas = [await begin('one'), await begin('two')];
  const memory = async (): Promise<string> => {
    const heaps = await Promise.all(replicas.map((one) => one.heap()));
    return heaps.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(' and ');
  };
  const urlOf = (number: number): string => `http://127.0.0.1:${replicas[number % 2]?.port}`;
  const begun = await memory();
  let atTheMost = '';
  const started = performance.now();
  await forEach(many, async (number) => {
    await create(urlOf(number), `m${number}`);
    await call(urlOf(number), `m${number}`, write);
    if (number === most * 2) atTheMost = await memory();
  });
  const seconds = (performance.now() - started) / 1000;
  const times: number[] = [];
  for (let number = 0; number < 500; number += 1) {
    const before = performance.now();
    const at = Math.floor((number * many) / 500);
    if (!(await call(urlOf(at), `m${at}`))) throw new Error('A call to a stored sandbox has failed.');
    times.push(performance.now() - before);
  }
  say(
    `\n${many} sandboxes with a change each, on two replicas that have at most ${most} each in memory: created in ${seconds.toFixed(0)} s. Heaps of the replicas without garbage: ${begun} at the start, ${atTheMost} with ${most * 2}, ${await memory()} with ${many}. First calls to those that are only stored: ${spread(times)}`,
  );
  const [stored] = await postgres.query(data, 'select pg_database_size(current_database())::float8 as bytes');
  say(`\nThe database has ${(Number(stored?.['bytes']) / many / 1000).toFixed(1)} kB for each of them.`);
  await pagesOfList(urlOf(0));
  await Promise.all(replicas.map((one) => one.stop()));
}

/** Pages of the list of all sandboxes. */
async function pagesOfList(url: string): Promise<void> {
  for (const order of ['id', 'created', 'used', 'size']) {
    const times: number[] = [];
    let cursor = '';
    for (let page = 0; page < 20; page += 1) {
      const began = performance.now();
      const reply = await fetch(`${url}/control/sandboxes?order=${order}&limit=100${cursor}`);
      // The contract of the control plane says so.
      const { next } = (await reply.json()) as { readonly next: string | null };
      times.push(performance.now() - began);
      cursor = next === null ? '' : `&cursor=${encodeURIComponent(next)}`;
    }
    say(`\nA page of 100 of ${many} sandboxes, by ${order}: ${spread(times)}`);
  }
}

const isPinned = pinTheLoad();
say(
  `${connections} connections, ${extent.rounds} rounds of ${extent.roundMs / 1000} s in turn, medians; Node ${process.version}; ${isPinned ? 'the servers on one processor, PostgreSQL and the load on the others' : 'nothing pinned'}`,
);
const two = ['get-quiz-details', 'update-digital-product-coupon'];
const parts: Readonly<Record<string, (postgres: Postgres) => Promise<void>>> = {
  throughput: (engine) => throughput(engine, 'off', []),
  counted: (engine) => throughput(engine, '1000000000', two),
  connections: (engine) => throughput(engine, 'off', two, 256),
  'half-load': halfLoad,
  costs,
  forwarded,
  direct: (engine) => takeovers(engine, 'direct'),
  haproxy: (engine) => takeovers(engine, 'haproxy'),
  drain,
  many: manySandboxes,
};
const wanted = process.argv.slice(2).filter((one) => Object.hasOwn(parts, one));
const postgres = await Postgres.start();
try {
  for (const [name, measure] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) await measure(postgres);
} finally {
  await postgres.end();
}
