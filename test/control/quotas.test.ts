import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serverLimits } from '../../src/base/server-limits.ts';
import { readDocument } from '../../src/contract/document.ts';
import { quotaNames } from '../../src/sandbox/quotas.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';
import { hosted, operatorToken, type Hosted, type Tenant } from '../support/hosted.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

function create(count: number, from = 0): readonly object[] {
  return Array.from({ length: count }, (_, number) => ({
    instructorEmail: `new${from + number}@school.example`,
  }));
}

const whoseQuota = (name: string): string =>
  `This is a quota of this server, not a limit of the platform. The operator of the server can change it: --max ${name}=N for all sandboxes, PUT /control/sandboxes/<id>/quotas for one.`;

describe('the records of a sandbox', () => {
  it('have a quota: a call that would exceed it is refused as a whole, and says whose quota it is', async () => {
    const { batch, sandbox } = await world({ quotas: { stateRecords: 7 } });
    // Each creates two records.
    await batch('create-instructor-account', create(2)).expect(200);
    const { status, headers, body } = await batch('create-instructor-account', create(2, 2));
    expect([status, headers['sandbox-limit']]).toEqual([413, 'stateRecords; max=7']);
    expect(body).toMatchObject({
      type: 'urn:learning-platform-sandbox:server-limit',
      detail: `A sandbox can have at most 7 records that differ from its seed. Nothing of the request took effect. Reset the sandbox, or remove records that you added. ${whoseQuota('stateRecords')}`,
    });
    await batch('create-instructor-account', create(1, 2)).expect(200);
    expect((await sandbox.quotas.read()).stateRecords).toEqual({ max: 7, own: 7, used: 6 });
  });

  it('count once, however often they change, and no more once an added one is removed', async () => {
    const { sandbox } = await world({ quotas: { stateRecords: 1 } });
    const [one, other] = await sandbox.state.list('coupons');
    if (one === undefined || other === undefined) throw new Error('The seed has too few coupons.');
    await sandbox.state.put('coupons', { ...one, id: 'added' });
    await sandbox.state.patch('coupons', 'added', { description: 'again' });
    await expect(sandbox.state.remove('coupons', other.id)).rejects.toThrow('at most 1 records that differ');
    await sandbox.state.remove('coupons', 'added');
    expect((await sandbox.quotas.read()).stateRecords.used).toBe(0);
    await sandbox.state.remove('coupons', other.id);
    await expect(sandbox.state.put('coupons', { ...one, id: 'added' })).rejects.toThrow('at most 1 records');
    expect(await sandbox.state.get('coupons', 'added')).toBeNull();
  });

  it('are as many as before after a batch that was undone', async () => {
    const { batch, sandbox } = await world({
      quotas: { stateRecords: 6 },
      assumptions: { batchProcessing: 'all-or-nothing' },
    });
    await batch('create-instructor-account', [...create(2), {}]);
    expect((await sandbox.quotas.read()).stateRecords.used).toBe(0);
    await batch('create-instructor-account', create(3)).expect(200);
  });

  it('are limited in an import, which changes nothing then', { tags: ['slow'] }, async () => {
    const { sandbox } = await world();
    await sandbox.state.patch('coupons', coupon.id, { description: 'one' });
    const state = await sandbox.state.export();
    await sandbox.quotas.set({ stateRecords: 1 });
    await sandbox.state.import(state);
    await expect(
      sandbox.state.import({ ...state, collections: { ...state.collections, coupons: [] } }),
    ).rejects.toThrow('at most 1 records that differ');
    expect(await sandbox.state.export()).toEqual(state);
  });
});

describe('the calls of a sandbox', () => {
  it('have a quota for a second of real time, with Retry-After, which counts in no rate limit', async () => {
    const { call, batch, sandbox } = await world({ quotas: { callsPerSecond: 2 } });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await call('get-all-instructors').expect(200);
    await call('get-all-instructors').expect(200);
    const refused = await batch('create-instructor-account', create(1));
    expect([refused.status, refused.headers['retry-after'], refused.headers['sandbox-limit']]).toEqual([
      503,
      '1',
      'callsPerSecond; max=2',
    ]);
    expect(refused.body).toMatchObject({
      type: 'urn:learning-platform-sandbox:server-busy',
      detail: `This server accepts at most 2 calls per second to this sandbox, whatever their operation. The call had no effect. Try again in 1 s. ${whoseQuota('callsPerSecond')}`,
    });
    expect(await sandbox.journal.list()).toMatchObject([{}, {}, { outcome: 'server-busy', status: 503 }]);
    expect((await sandbox.quotas.read()).callsPerSecond).toEqual({ max: 2, own: 2, used: 2 });
    expect((await sandbox.limits.read()).operations['create-instructor-account']?.counters).toEqual([]);
    vi.advanceTimersByTime(1000);
    await batch('create-instructor-account', create(1)).expect(200);
  });

  it('are never held against the client where they exceed it', { tags: ['slow'] }, async () => {
    const { call, sandbox } = await world({ quotas: { callsPerSecond: 1 } });
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await call('get-all-instructors').expect(200);
    for (let again = 0; again < 40; again += 1) await call('get-all-instructors').expect(503);
    const { conduct } = await sandbox.report();
    expect(conduct.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(conduct.find(({ check }) => check === 'retry-after')?.occasions).toBe(0);
  });

  it('exclude those without a valid key, which are of no tenant', async () => {
    const { url, sandbox } = await world({ quotas: { callsPerSecond: 1 } });
    for (let number = 0; number < 3; number += 1)
      await supertest(url)
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', `sbx_${sandbox.id}_nobody`)
        .send({ data: [{ data: {} }] })
        .expect(401);
  });
});

describe('the journal of a sandbox', () => {
  it('loses its oldest entries beyond its quota, at once if the quota is lowered', async () => {
    const { call, sandbox } = await world({ quotas: { journalEntries: 4 } });
    for (let number = 0; number < 6; number += 1) await call('get-all-instructors');
    expect(await sandbox.journal.list()).toHaveLength(4);
    await sandbox.quotas.set({ journalEntries: 2 });
    expect(await sandbox.journal.list()).toHaveLength(2);
    expect((await sandbox.quotas.read()).journalEntries).toEqual({ max: 2, own: 2, used: 2 });
    await sandbox.quotas.set({ journalBytes: 1024 });
    expect((await sandbox.quotas.read()).journalBytes.used).toBeLessThanOrEqual(1024);
  });
});

describe('quotas', () => {
  it('are those of the server for a sandbox that has none, and can be larger for one that has', async () => {
    const { createSandbox } = await serve({ max: { stateRecords: 1 } });
    const usual = await createSandbox();
    const larger = await createSandbox({ quotas: { stateRecords: 5, stateBytes: 2048 } });
    expect((await usual.quotas.read()).stateRecords).toEqual({ max: 1, own: null, used: 0 });
    expect((await larger.quotas.read()).stateRecords).toEqual({ max: 5, own: 5, used: 0 });
    await larger.quotas.set({ callsPerSecond: 9 });
    const after = await larger.quotas.read();
    expect([after.stateRecords.max, after.stateBytes.own, after.callsPerSecond.max]).toEqual([1, null, 9]);
  });

  it('are shown to the tenant, but only the operator sets them', async () => {
    const server = await hosted();
    const { path, token } = await server.add({ quotas: { callsPerSecond: 7 } });
    const { body } = await server.ask(token, 'GET', `${path}/quotas`).expect(200);
    expect(body).toHaveProperty('callsPerSecond.max', 7);
    await server.ask(token, 'PUT', `${path}/quotas`, { callsPerSecond: 70 }).expect(403);
    await server.ask(operatorToken, 'PUT', `${path}/quotas`, { callsPerSecond: 8 }).expect(200);
    expect((await server.ask(token, 'GET', `${path}/quotas`)).body).toHaveProperty('callsPerSecond.own', 8);
  });

  it.each([
    [{ stateRecords: 0 }, '/stateRecords'],
    [{ callsPerSecond: 1.5 }, '/callsPerSecond'],
    [{ journalBytes: 1 }, '/journalBytes'],
    [{ records: 5 }, '/records'],
  ])('that are %j are refused', async (quotas, pointer) => {
    const server = await hosted();
    const { path } = await server.add();
    const set = await server.ask(operatorToken, 'PUT', `${path}/quotas`, quotas).expect(400);
    expect(set.body.violations).toMatchObject([{ pointer }]);
    const made = await server.ask(operatorToken, 'POST', '/control/sandboxes', { quotas }).expect(400);
    expect(made.body.violations).toMatchObject([{ pointer: `/quotas${pointer}` }]);
  });

  it.each(['stops', 'crashes'] as const)(
    'are kept when the server %s',
    { tags: ['slow'] },
    async (ending) => {
      const data = temporaryFolder();
      const before = await hosted({ data });
      const tenant = await before.add({ quotas: { stateRecords: 5 } });
      await before.ask(operatorToken, 'PUT', `${tenant.path}/quotas`, { callsPerSecond: 3 }).expect(200);
      const own = await ownQuotas(before, tenant);
      if (ending === 'stops') await before.close();
      const after = await hosted({ data: ending === 'stops' ? data : crashCopy(data) });
      expect(own).toEqual({ callsPerSecond: 3 });
      expect(await ownQuotas(after, tenant)).toEqual(own);
    },
  );

  it('have the bounds that --max has', { tags: ['slow'] }, () => {
    const { components } = readDocument('control') as unknown as {
      readonly components: {
        readonly schemas: {
          readonly QuotaSetting: { readonly properties: Readonly<Record<string, object>> };
        };
      };
    };
    for (const name of quotaNames)
      expect(components.schemas.QuotaSetting.properties[name]).toMatchObject({
        minimum: serverLimits[name].min,
        maximum: serverLimits[name].max,
      });
  });
});

async function ownQuotas(server: Hosted, { path, token }: Tenant): Promise<object> {
  const { body } = await server.ask(token, 'GET', `${path}/quotas`).expect(200);
  // Held against the contract before.
  const quotas = body as Readonly<Record<string, { readonly own: number | null }>>;
  return Object.fromEntries(
    Object.entries(quotas).flatMap(([name, { own }]) => (own === null ? [] : [[name, own]])),
  );
}
