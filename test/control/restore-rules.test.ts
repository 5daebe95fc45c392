import { describe, expect, it } from 'vitest';
import type { SandboxHandle } from '../../src/index.ts';
import { world } from '../support/world.ts';

function restore({ baseUrl, id }: SandboxHandle, ids: readonly string[]): Promise<Response> {
  return fetch(`${baseUrl}/control/sandboxes/${id}/faults/restore`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids }),
  });
}

/** A sandbox with rules of these ids, which have counted one call. */
async function withRules(...ids: readonly string[]) {
  const { sandbox, call } = await world();
  const match = { school: 'riverside', key: sandbox.apiKey('riverside') };
  for (const id of ids)
    await sandbox.faults.add({ id, fault: 'http-error', match, when: { skip: 5, times: 1 } });
  await call('get-all-instructors');
  return { sandbox, call };
}

const shown = async ({ faults }: SandboxHandle): Promise<readonly string[]> =>
  (await faults.list()).map(({ id, matched }) => `${id} ${matched}`);

describe('deleted rules', () => {
  it('come back at their places, with their counters and keys', async () => {
    const { sandbox, call } = await withRules('a', 'b', 'c');
    await sandbox.faults.remove('b');
    expect((await restore(sandbox, ['b'])).status).toBe(200);
    expect(await shown(sandbox)).toEqual(['a 1', 'b 1', 'c 1']);
    await call('get-all-instructors');
    expect(await shown(sandbox)).toEqual(['a 2', 'b 2', 'c 2']);
  });

  it('come back in their order, in whatever order they were deleted', async () => {
    const { sandbox } = await withRules('a', 'b', 'c', 'd');
    for (const id of ['c', 'a', 'b']) await sandbox.faults.remove(id);
    await restore(sandbox, ['a', 'b', 'c']);
    expect(await shown(sandbox)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  });

  it('bring back their scenario in place of the current one', async () => {
    const { sandbox } = await withRules('own');
    const { faults, scenario } = sandbox;
    await scenario.play('bad-gateway');
    const before = await faults.list();
    await scenario.play('long-outage');
    await restore(
      sandbox,
      before.filter((rule) => rule.scenario !== null).map(({ id }) => id),
    );
    expect(await faults.list()).toEqual(before);
    expect((await sandbox.describe()).scenario).toBe('bad-gateway');
  });

  it('need one place each, however often they are named, and a message names five of them', async () => {
    const { sandbox } = await withRules('a');
    await sandbox.faults.remove('a');
    expect((await restore(sandbox, Array<string>(101).fill('a'))).status).toBe(200);
    expect(await shown(sandbox)).toEqual(['a 1']);
    const reply = await restore(
      sandbox,
      Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(1000, 'x')),
    );
    expect(reply.status).toBe(409);
    expect((await reply.text()).length).toBeLessThan(2500);
  });

  it('do not replace a rule that has their id now, and are not made up', async () => {
    const { sandbox } = await withRules('a');
    await sandbox.faults.remove('a');
    await sandbox.faults.add({ id: 'a', fault: 'delay', with: { ms: 1 } });
    for (const [id, words] of [
      ['a', 'has a rule "a" again'],
      ['z', 'no longer has all of the deleted rules "z"'],
    ] as const) {
      const refused = await restore(sandbox, [id]);
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain(words.replaceAll('"', String.raw`\"`));
    }
    expect(await shown(sandbox)).toEqual(['a 0']);
  });
});
