import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyOfBuild } from '../support/built.ts';
import type { Program } from '../support/command.ts';
import { pause } from '../support/crash-load.ts';
import { quiz } from '../support/demo.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

const sandboxes = 20;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Sends a call. Resolves to its status, or why there is none. */
function call(
  port: number,
  agent: Agent,
  sandbox: string,
  operation: string,
  parameters: object,
): Promise<string> {
  return new Promise((done) => {
    const body = JSON.stringify({ data: [{ data: parameters }] });
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/public/${operation}`,
        agent,
        headers: {
          'SERVICE-API-KEY': `sbx_${sandbox}_riverside`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', (error) => done(`cut off: ${error.message}`));
        response.on('end', () =>
          done(
            response.statusCode === 200 && text.includes('"ok"') ? '200' : `${response.statusCode} ${text}`,
          ),
        );
      },
    );
    sent.on('error', (error) => done(error.message));
    sent.end(body);
  });
}

const limits = ['--limits', 'off'];

/** A step of the schema that replicas of this version do not know. */
const laterStep = `alter table lp_sandbox.sandbox add column later text not null default 'x'`;

function edit(path: string, from: RegExp, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** Makes a later version of this program, which changes the tables. Returns the words of its command. */
function laterVersion(): readonly [string, ...string[]] {
  const { root, bundle } = copyOfBuild();
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  edit(join(root, 'package.json'), /"version": ".*?"/, '"version": "99.0.0"');
  const ends = 'set storage external;`';
  const steps = readdirSync(bundle)
    .map((name) => join(bundle, name))
    .filter((path) => path.endsWith('.js') && readFileSync(path, 'utf8').includes(`${ends}]`));
  expect(steps).not.toEqual([]);
  for (const path of steps) edit(path, /set storage external;`\]/, `${ends},\`${laterStep}\`]`);
  return [process.execPath, join(bundle, 'main.js')];
}

describe('a rolling deployment of three replicas under load', () => {
  it('fails no call, and loses nothing', { timeout: 300_000 }, async () => {
    const data = await postgres.database();
    await roll(data, (port) => startReplica(data, limits, port));
  });

  it(
    'does so, too, if the next version changes the tables while the others still run',
    { timeout: 300_000 },
    async () => {
      const data = await postgres.database();
      const program = laterVersion();
      await roll(data, (port) => startReplica(data, limits, port, program));
      const version = async (sql: string): Promise<unknown> => (await postgres.query(data, sql))[0];
      expect(await version('select version from lp_sandbox.schema')).toEqual({ version: 2 });
      expect(await version('select distinct version from lp_sandbox.replica')).toEqual({ version: '99.0.0' });
      // There is no way back, and no replica of the earlier version starts by mistake.
      await expect(startReplica(data, limits)).rejects.toThrow('The tables in --data are of version 2');
    },
  );
});

/** Replaces three replicas by those that `next` starts. */
async function roll(data: string, next: (port: number) => Promise<Program>): Promise<void> {
  const ports = [await unassignedPort(), await unassignedPort(), await unassignedPort()];
  const programs = await Promise.all(ports.map((port) => startReplica(data, limits, port)));
  const port = await startHaproxy(ports);
  for (let id = 0; id < sandboxes; id += 1)
    await supertest(`http://127.0.0.1:${port}`)
      .post('/control/sandboxes')
      .send({ id: `s${id}` })
      .expect(201);

  const agent = new Agent({ keepAlive: true });
  const results = new Map<string, number>();
  const written = new Map<string, string[]>();
  const over = new AbortController();
  const client = async (number: number): Promise<void> => {
    const id = `s${number % sandboxes}`;
    const own: string[] = [];
    written.set(`${number}`, own);
    for (let round = 0; !over.signal.aborted; round += 1) {
      const email = `c${number}-${round}@crash.example`;
      const result =
        round % 4 === 0
          ? await call(port, agent, id, 'create-instructor-account', {
              instructorEmail: email,
              instructorName: 'N',
            })
          : await call(port, agent, id, 'get-quiz-details', { quizId: quiz.id });
      results.set(result, (results.get(result) ?? 0) + 1);
      if (round % 4 === 0 && result === '200') own.push(email);
      await pause(10);
    }
  };
  const clients = Array.from({ length: 40 }, (_, number) => client(number));
  await pause(500);
  const ends: unknown[] = [];
  for (const [index, one] of ports.entries()) {
    ends.push((await programs[index]?.stop('SIGTERM'))?.code);
    programs[index] = await next(one);
    await pause(700);
  }
  over.abort();
  await Promise.all(clients);
  process.stdout.write(`${JSON.stringify([...results])}\n`);
  expect(ends).toEqual([0, 0, 0]);
  expect([...results.keys()]).toEqual(['200']);
  for (const [number, emails] of written) {
    const { body } = await supertest(`http://127.0.0.1:${port}`)
      .get(`/control/sandboxes/s${Number(number) % sandboxes}/state`)
      .expect(200);
    const text = JSON.stringify(body);
    expect(emails.filter((email) => !text.includes(email))).toEqual([]);
  }
}
