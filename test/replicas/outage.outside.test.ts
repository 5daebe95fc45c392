import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  incompleteBatches,
  knowing,
  numbersNotHigher,
  pause,
  startClient,
  storedIn,
  type Known,
} from '../support/crash-load.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

const sandboxes = 4;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** Two replicas under load, whose database is about to fail. */
async function underLoad(): Promise<{
  readonly known: Known;
  readonly url: string;
  readonly data: string;
  stop(): Promise<void>;
}> {
  const data = await postgres.database();
  const ports = [await unassignedPort(), await unassignedPort()];
  for (const port of ports) await startReplica(data, ['--limits', 'off'], port);
  const port = await startHaproxy(ports);
  const url = `http://127.0.0.1:${port}`;
  const known = knowing(sandboxes);
  for (const id of known.sent.keys())
    await supertest(url).post('/control/sandboxes').send({ id }).expect(201);
  return { known, url, data, stop: startClient(1, port, known, 'balanced') };
}

/** Waits until so many more calls were acknowledged. */
async function acknowledged(known: Known, more: number): Promise<void> {
  const before = known.acknowledgedCalls;
  await expect.poll(() => known.acknowledgedCalls, { timeout: 60_000 }).toBeGreaterThan(before + more);
}

/** Everything that was acknowledged is there, once, and no part of a batch. */
async function expectComplete(known: Known, url: string): Promise<void> {
  // Only of the database: after 2 s, a call that waits for it is refused.
  expect(known.refused.filter((line) => !/ 503 .*database|stored/.test(line))).toEqual([]);
  expect(known.duplicateIds).toEqual([]);
  for (const [sandbox, sent] of known.sent) {
    const stored = await storedIn(url, sandbox);
    const all = new Set(stored);
    const missing = [...(known.acknowledged.get(sandbox) ?? [])].filter((email) => !all.has(email));
    expect(missing).toEqual([]);
    expect(stored).toHaveLength(all.size);
    expect(stored.filter((email) => !sent.has(email))).toEqual([]);
    expect(incompleteBatches(all)).toEqual([]);
    expect(numbersNotHigher(known, sandbox)).toEqual([]);
  }
}

describe('two replicas under load lose nothing', { timeout: 300_000 }, () => {
  it('if their database is restarted again and again', async () => {
    const { known, url, stop } = await underLoad();
    for (let round = 0; round < 5; round += 1) {
      await acknowledged(known, 30);
      await postgres.crash();
      await postgres.run();
    }
    await acknowledged(known, 30);
    await stop();
    await expectComplete(known, url);
  });

  it('if their database is unavailable for 30 s', async () => {
    const { known, url, stop } = await underLoad();
    await acknowledged(known, 30);
    await postgres.crash();
    await pause(30_000);
    const { status } = await supertest(url).get('/readyz');
    expect(status).toBe(200);
    await postgres.run();
    await acknowledged(known, 30);
    await stop();
    await expectComplete(known, url);
  });

  it('if their sessions are terminated again and again', async () => {
    const { known, url, data, stop } = await underLoad();
    for (let round = 0; round < 10; round += 1) {
      await acknowledged(known, 20);
      await postgres.query(
        data,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
      );
    }
    await acknowledged(known, 30);
    await stop();
    await expectComplete(known, url);
  });

  it('if each commit takes 200 ms', async () => {
    const { known, url, data, stop } = await underLoad();
    await acknowledged(known, 30);
    await postgres.query(
      data,
      `create function lp_sandbox.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return null; end $$`,
    );
    await postgres.query(
      data,
      `create trigger slow after update on lp_sandbox.sandbox for each statement execute function lp_sandbox.slow()`,
    );
    await acknowledged(known, 50);
    await stop();
    expect(known.refused).toEqual([]);
    await expectComplete(known, url);
  });
});
