import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assumptions } from '../../src/assumptions.ts';
import type { Program } from '../support/command.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

const limit = 15;

const optionsOf = (name: 'rateLimitWindow' | 'rateLimitUnit' | 'rateLimitScope'): readonly string[] =>
  Object.keys(assumptions[name].options);

const readings = optionsOf('rateLimitWindow').flatMap((rateLimitWindow) =>
  optionsOf('rateLimitUnit').flatMap((rateLimitUnit) =>
    optionsOf('rateLimitScope').map((rateLimitScope) => ({ rateLimitWindow, rateLimitUnit, rateLimitScope })),
  ),
);

async function statusOf({ url }: Program, id: string): Promise<number> {
  const { status } = await supertest(url)
    .post('/public/get-all-instructors')
    .set('SERVICE-API-KEY', `sbx_${id}_riverside`)
    .send({ data: [{ data: {} }] });
  return status;
}

describe('the rate limits of a sandbox', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'admit exactly as many calls across replicas and after %s of the owner, in every reading',
    { timeout: 120_000 },
    async (signal) => {
      const data = await postgres.database();
      const [owner, ...others] = [
        await startReplica(data),
        await startReplica(data),
        await startReplica(data),
      ] as const;
      const now = '2026-11-20T10:00:05.000Z';
      for (const [index, chosen] of readings.entries())
        await supertest(owner.url)
          .post('/control/sandboxes')
          .send({ id: `r${index}`, assumptions: chosen, clock: { now, mode: 'frozen' } })
          .expect(201);
      const admitted = readings.map(() => 0);
      const round = async (at: Program): Promise<void> => {
        for (const index of readings.keys())
          if ((await statusOf(at, `r${index}`)) === 200) admitted[index] = (admitted[index] ?? 0) + 1;
      };
      for (let call = 0; call < 6; call += 1) await round([owner, ...others][call % 3] ?? owner);
      expect(admitted).toEqual(readings.map(() => 6));
      await owner.stop(signal);
      for (let call = 0; call < 14; call += 1) await round(others[call % 2] ?? owner);
      expect(admitted).toEqual(readings.map(() => limit));
    },
  );
});
