import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { schools } from '../support/demo.ts';
import { world } from '../support/world.ts';

/** A sandbox, and the status of a call with a key of Riverside that ends with a label; without one if it is empty. */
async function openPlace(assumptions: PartialOptions = {}) {
  const place = await world({
    clock: { mode: 'frozen', now: '2026-11-20T10:00:00.000Z' },
    assumptions,
  });
  const key = place.sandbox.apiKey('riverside');
  const statusWith = async (label: string): Promise<number> => {
    const reply = await place
      .post('get-all-instructors')
      .set('SERVICE-API-KEY', label === '' ? key : `${key}_${label}`)
      .send({ data: [{ data: {} }] });
    return reply.status;
  };
  return { ...place, statusWith };
}

async function useUp(statusWith: (label: string) => Promise<number>, label: string): Promise<void> {
  for (let made = 0; made < 15; made += 1) expect(await statusWith(label)).toBe(200);
  expect(await statusWith(label)).toBe(429);
}

describe('the keys of a school in the demo data', () => {
  it('are named in the school, and any other label is valid too', async () => {
    const { sandbox, statusWith } = await openPlace();
    expect((await sandbox.state.get('schools', schools.riverside))?.keyLabels).toEqual([
      'website',
      'mobile-app',
      '*',
    ]);
    for (const label of ['', 'website', 'mobile-app', 'a-test']) expect(await statusWith(label)).toBe(200);
  });

  it('have limits of their own by default', async () => {
    const { statusWith } = await openPlace();
    await useUp(statusWith, 'website');
    expect(await statusWith('mobile-app')).toBe(200);
    expect(await statusWith('')).toBe(200);
  });

  it('share the limits of the school where the school is the scope', async () => {
    const { statusWith, call } = await openPlace({ rateLimitScope: 'school-and-operation' });
    await useUp(statusWith, 'website');
    expect(await statusWith('mobile-app')).toBe(429);
    expect(await statusWith('')).toBe(429);
    expect((await call('get-all-instructors', {}, 'hillcrest')).status).toBe(200);
  });
});

describe('keyLabels', () => {
  it('revoke each key that they do not list, at once, if they have no *', async () => {
    const { sandbox, statusWith } = await openPlace();
    expect(await statusWith('mobile-app')).toBe(200);
    await sandbox.state.patch('schools', schools.riverside, { keyLabels: ['website'] });
    expect(await statusWith('mobile-app')).toBe(401);
    expect(await statusWith('a-test')).toBe(401);
    expect(await statusWith('website')).toBe(200);
    expect(await statusWith('')).toBe(200);
  });

  it('revoke every key with a label if the list is empty', async () => {
    const { sandbox, statusWith } = await openPlace();
    await sandbox.state.patch('schools', schools.riverside, { keyLabels: [] });
    expect([await statusWith('website'), await statusWith('')]).toEqual([401, 200]);
  });

  it('have no patterns except *', async () => {
    const { url, sandbox } = await openPlace();
    const refused = await fetch(`${url}/control/sandboxes/${sandbox.id}/state/schools/${schools.riverside}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ keyLabels: ['web*'] }),
    });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('/keyLabels/0')]);
  });
});
