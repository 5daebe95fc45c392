import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { SandboxHandle, SandboxServer, StartOptions } from '../../src/index.ts';
import { serve } from '../support/serve.ts';

const mib = 1_048_576;

/** Calls whose exchanges take little more than their body; the character says how many bytes each takes. */
async function callWith(
  sandbox: SandboxHandle,
  characters: number,
  { times = 1, character = 'x' } = {},
): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) {
    await supertest(sandbox.baseUrl)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside') + 'x')
      .send({ data: [{ data: { padding: character.repeat(characters) } }] })
      .expect(401);
  }
}

interface Held {
  readonly entries: readonly { readonly requestId: string }[];
  readonly evicted: number;
}

async function heldBy({ baseUrl, id }: SandboxHandle): Promise<readonly [kept: number, evicted: number]> {
  const { body } = await supertest(baseUrl).get(`/control/sandboxes/${id}/journal?limit=10000`).expect(200);
  // As openapi/control.yaml has it.
  const { entries, evicted } = body as Held;
  return [entries.length, evicted];
}

async function three(
  options: StartOptions,
): Promise<readonly [SandboxServer, SandboxHandle, SandboxHandle, SandboxHandle]> {
  const server = await serve(options);
  const [large, middle, small] = [
    await server.createSandbox(),
    await server.createSandbox(),
    await server.createSandbox(),
  ];
  return [server, large, middle, small];
}

describe('the memory of all journals', () => {
  it('is shared: the largest journal makes room for the others, from its oldest exchange on', async () => {
    const [, large, middle, small] = await three({ journalMemory: '2MiB' });
    await callWith(large, 60_000, { times: 20 });
    await callWith(middle, 60_000, { times: 10 });
    expect([await heldBy(large), await heldBy(middle)]).toEqual([
      [20, 0],
      [10, 0],
    ]);
    await callWith(small, 60_000, { times: 9 });
    const [kept, evicted] = await heldBy(large);
    expect(kept).toBeGreaterThanOrEqual(13);
    expect(kept).toBeLessThan(20);
    expect(evicted).toBe(20 - kept);
    expect([await heldBy(middle), await heldBy(small)]).toEqual([
      [10, 0],
      [9, 0],
    ]);
    const ids = (await large.journal.list({ limit: 100 })).map(({ requestId }) => requestId);
    expect(ids).toEqual(Array.from({ length: kept }, (_, index) => `${large.id}-${evicted + index + 1}`));
  });

  it('has room again when a journal is emptied, or goes with its sandbox', async () => {
    const [, large, middle, small] = await three({ journalMemory: 2 * mib });
    await callWith(large, 60_000, { times: 12 });
    await callWith(middle, 60_000, { times: 12 });
    await large.journal.clear();
    await middle.remove();
    await callWith(small, 60_000, { times: 30 });
    expect(await heldBy(small)).toEqual([30, 0]);
  });

  it('holds for one journal alone', async () => {
    const [, only] = await three({ journalMemory: mib });
    await callWith(only, 60_000, { times: 30 });
    const [kept, evicted] = await heldBy(only);
    expect([kept, evicted]).toEqual([17, 13]);
  });
});

describe('the bytes of a journal', () => {
  it.each([
    ['with ASCII', 'x', 1],
    ['with Latin letters', 'é', 1],
    ['with letters that need two bytes', 'ж', 2],
  ])('are what its texts take in memory: %s', async (_, character, each) => {
    const [, sandbox] = await three({ max: { journalBytes: 400_000 } });
    await callWith(sandbox, 20_000, { times: 25, character });
    const [kept] = await heldBy(sandbox);
    // Each exchange takes one or two kilobytes beside its body.
    expect(kept).toBe(each === 1 ? 18 : 9);
  });

  it('include what is constant for each exchange, and the outcomes of its elements', async () => {
    const [, sandbox, other] = await three({ max: { journalBytes: 100_000 }, limits: null });
    await callWith(sandbox, 0, { times: 150 });
    expect((await heldBy(sandbox))[0]).toBeLessThan(100);
    for (let sent = 0; sent < 10; sent += 1) {
      await supertest(other.baseUrl)
        .post('/public/get-quiz-details')
        .set('SERVICE-API-KEY', other.apiKey('riverside'))
        .set('Sandbox-Fault', 'http-error; phase=after')
        .send({ data: Array.from({ length: 2000 }, () => ({ data: {} })) });
    }
    // A body of 22 kB, and 16 kB for the outcomes of its elements.
    expect((await heldBy(other))[0]).toBe(2);
  });

  it('and the number of its entries are bounded as --max has it', async () => {
    const [, sandbox] = await three({ max: { journalEntries: 3 } });
    await callWith(sandbox, 0, { times: 5 });
    expect(await heldBy(sandbox)).toEqual([3, 2]);
  });
});
