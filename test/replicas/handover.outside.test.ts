import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { facts, shown, type Json } from '../support/facts.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

const named = (all: readonly Json[]): Json => Object.fromEntries(facts.map(([name], at) => [name, all[at]]));

describe('a sandbox is the same in everything that can be observed', () => {
  it.each([
    ['its owner was killed', 'SIGKILL'],
    ['its owner has given it away', 'SIGTERM'],
  ] as const)('after %s', { timeout: 120_000 }, async (_, signal) => {
    const data = await postgres.database();
    const [owner, other] = [await startReplica(data), await startReplica(data)];
    const before: Json[] = [];
    for (const [index, [, happen]] of facts.entries()) {
      const id = `fact-${index}`;
      await supertest(owner.url).post('/control/sandboxes').send({ id }).expect(201);
      await happen({ url: owner.url, id });
      before.push(await shown({ url: owner.url, id }));
    }
    const forwarded: Json[] = [];
    for (const index of facts.keys()) forwarded.push(await shown({ url: other.url, id: `fact-${index}` }));
    await owner.stop(signal);
    const after: Json[] = [];
    for (const index of facts.keys()) after.push(await shown({ url: other.url, id: `fact-${index}` }));
    expect(named(forwarded)).toEqual(named(before));
    expect(named(after)).toEqual(named(before));
  });
});
