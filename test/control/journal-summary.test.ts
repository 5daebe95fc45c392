import { describe, expect, it } from 'vitest';
import type { SandboxHandle } from '../../src/index.ts';
import { world } from '../support/world.ts';

async function get({ baseUrl, id }: SandboxHandle, rest: string): Promise<Response> {
  return fetch(`${baseUrl}/control/sandboxes/${id}/journal${rest}`);
}

interface Listed {
  readonly entries: readonly { readonly requestId: string }[];
  readonly values: unknown;
  readonly more: boolean;
}

async function listed(sandbox: SandboxHandle, rest: string): Promise<Listed> {
  const reply = await get(sandbox, rest);
  expect(reply.status).toBe(200);
  // As openapi/control.yaml has it.
  return (await reply.json()) as Listed;
}

/** Two calls, of which the first violates the contract. */
async function twoCalls() {
  const { sandbox, call } = await world();
  await call('get-quiz-details', { quizId: 12, padding: 'Needle'.padEnd(60_000, 'x') });
  await call('get-all-instructors');
  return sandbox;
}

describe('a summary of a journal entry', () => {
  it('has no bodies and headers, but how much the entry lists', async () => {
    const sandbox = await twoCalls();
    const { entries, values } = await listed(sandbox, '?form=summary&limit=2');
    expect(entries).toEqual([
      {
        requestId: `${sandbox.id}-1`,
        receivedAt: expect.any(String) as unknown,
        durationMs: expect.any(Number) as unknown,
        method: 'POST',
        operation: 'get-quiz-details',
        school: 'riverside',
        status: 200,
        outcome: 'element-error',
        faults: [],
        assumed: expect.any(Array) as unknown,
        counts: {
          violations: 1,
          responseViolations: 0,
          responseDifferences: 0,
          hints: expect.any(Number) as unknown,
        },
      },
      expect.objectContaining({ requestId: `${sandbox.id}-2` }),
    ]);
    expect(JSON.stringify(entries).length).toBeLessThan(1500);
    expect(values).toEqual({
      operations: ['get-all-instructors', 'get-quiz-details'],
      outcomes: ['ok', 'element-error'],
      statuses: [200],
    });
  });

  it('comes with what occurs in the whole journal, whatever the filter is', async () => {
    const sandbox = await twoCalls();
    const { entries, values } = await listed(sandbox, '?form=summary&operation=get-all-instructors');
    expect(entries).toHaveLength(1);
    expect(values).toMatchObject({ operations: ['get-all-instructors', 'get-quiz-details'] });
  });

  it('is what a stream sends if it is asked for', async () => {
    const sandbox = await twoCalls();
    const end = new AbortController();
    const { baseUrl, id } = sandbox;
    const reply = await fetch(`${baseUrl}/control/sandboxes/${id}/journal/stream?form=summary`, {
      headers: { 'Last-Event-ID': `${id}-1` },
      signal: end.signal,
    });
    let text = '';
    if (reply.body === null) throw new Error('There is no stream.');
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes('data: ') && text.endsWith('\n\n')) break;
    }
    end.abort();
    const [, data = ''] = /data: (.*)\n/.exec(text) ?? [];
    const { entries } = await listed(sandbox, '?form=summary');
    expect(JSON.parse(data)).toEqual(entries[1]);
  });

  it.each(['?form=short', '/stream?form=short', '/stream?from=summary'])(
    'is named as in the contract: %s is refused',
    async (rest) => {
      const { sandbox } = await world();
      const reply = await get(sandbox, rest);
      expect(reply.status).toBe(400);
      expect(await reply.text()).toMatch(/summary|accepts only the query parameter form/);
    },
  );
});

describe('the filter by text', () => {
  it('finds a text in a body, in any case, and counts its limit by what it finds', async () => {
    const sandbox = await twoCalls();
    expect((await listed(sandbox, '?text=NEEDLE&limit=1')).entries).toMatchObject([
      { requestId: `${sandbox.id}-1` },
    ]);
    expect(await listed(sandbox, '?text=riverside&limit=1')).toMatchObject({
      entries: [{ requestId: `${sandbox.id}-2` }],
      more: true,
    });
    expect((await listed(sandbox, '?text=nowhere')).entries).toEqual([]);
    expect(await sandbox.journal.list({ text: 'needle' })).toHaveLength(1);
  });
});
