import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../src/base/errors.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { world } from '../support/world.ts';

describe('the scope of a call', () => {
  it('is the one that its header names', async () => {
    const { call, sandbox } = await world();
    await call('get-all-instructors').set('Sandbox-Scope', ' retries once ');
    await call('get-all-instructors').set('Sandbox-Scope', ' ');
    expect((await sandbox.journal.list()).map(({ scope }) => scope)).toEqual(['retries once', null]);
  });

  it('is cut to 128 characters, but is another one where only the rest of the name differs', async () => {
    const { call, sandbox } = await world();
    const [one, other] = ['1', '2'].map((end) => `${'describe '.repeat(30)}${end}`);
    await call('get-all-instructors').set('Sandbox-Scope', one ?? '');
    await sandbox.scope(one ?? '');
    await call('get-all-instructors');
    await sandbox.scope(other ?? '');
    await call('get-all-instructors');
    const [first = '', second, third = ''] = (await sandbox.journal.list()).map(({ scope }) => scope ?? '');
    expect([first.length, second, third.length]).toEqual([128, first, 128]);
    expect(third).not.toBe(first);
    expect(await sandbox.journal.list({ scope: other ?? '' })).toHaveLength(1);
    const counts = [{ operation: 'get-all-instructors' as const, times: 2 }];
    expect(await sandbox.journal.verify({ scope: one ?? '', counts })).toMatchObject({ holds: true });
  });

  it('has no key in its name, and no blanks around it, wherever it comes from', async () => {
    const { call, sandbox, url } = await world();
    await call('get-all-instructors').set('Sandbox-Scope', sandbox.apiKey('riverside'));
    await sandbox.scope(`  with ${sandbox.apiKey('riverside')} `);
    await call('get-all-instructors');
    const text = JSON.stringify((await sandbox.journal.list()).map(({ scope }) => scope));
    expect(text).toMatch(/with sbx_/);
    expect(text).not.toMatch(/_riverside| "/);
    const blank = await supertest(url)
      .post(`/control/sandboxes/${sandbox.id}/journal/scopes`)
      .send({ name: ' ' });
    expect([blank.status, blank.text]).toEqual([400, expect.stringContaining('/name')]);
  });

  it('is else the label of its key', async () => {
    const { post, sandbox } = await world();
    await post('get-all-instructors')
      .set('SERVICE-API-KEY', `${sandbox.apiKey('riverside')}_test-12`)
      .send({ data: [{ data: {} }] })
      .expect(200);
    expect(await sandbox.journal.list()).toMatchObject([{ scope: 'test-12', school: 'riverside' }]);
  });

  it('is else the one that was started last, until another one starts', async () => {
    const { call, sandbox } = await world();
    await sandbox.scope('first');
    await call('get-all-instructors');
    await call('get-all-instructors').set('Sandbox-Scope', 'named');
    await sandbox.scope('second');
    await call('get-all-instructors');
    await sandbox.scope(null);
    await call('get-all-instructors');
    expect((await sandbox.journal.list()).map(({ scope }) => scope)).toEqual([
      'first',
      'named',
      'second',
      null,
    ]);
    expect(await sandbox.journal.list({ scope: 'second' })).toHaveLength(1);
  });

  it('is listed with its calls', async () => {
    const { call, sandbox, url } = await world();
    await sandbox.scope('a');
    await call('get-all-instructors');
    await call('get-all-instructors');
    await call('get-all-instructors').set('Sandbox-Scope', 'b');
    const { body } = await supertest(url).get(`/control/sandboxes/${sandbox.id}/journal/scopes`);
    expect(body).toEqual({
      current: 'a',
      scopes: [
        { name: 'a', calls: 2 },
        { name: 'b', calls: 1 },
      ],
    });
  });

  it('needs a name of 1 to 4,000 characters', async () => {
    const { sandbox } = await world();
    await expect(sandbox.scope('')).rejects.toBeInstanceOf(ValidationError);
    await expect(sandbox.scope('x'.repeat(4001))).rejects.toBeInstanceOf(ValidationError);
  });

  it('limits what verify looks at', async () => {
    const { call, sandbox } = await world();
    await call('get-all-instructors').set('Sandbox-Scope', 'a');
    await call('list-assignments', {}).set('Sandbox-Scope', 'b');
    const counts = [{ operation: 'get-all-instructors', times: 1 }];
    expect(await sandbox.journal.verify({ scope: 'a', counts, nothingElse: true })).toMatchObject({
      holds: true,
    });
    expect(await sandbox.journal.verify({ scope: 'b', counts, nothingElse: true })).toMatchObject({
      holds: false,
      counts: [{ found: 0 }],
      others: { found: 1 },
    });
  });
});

describe('a call of one of our own pages', () => {
  it('is marked, and is not counted by the report or by "nothing else"', async () => {
    const { call, sandbox } = await world();
    await call('get-all-instructors');
    await call('get-quiz-details', { quizId: 7 }).set('Sandbox-Page', 'console');
    await call('get-all-instructors').set('Sandbox-Page', 'something else');
    expect((await sandbox.journal.list()).map(({ page }) => page)).toEqual([null, 'console', null]);
    const counts = [{ operation: 'get-all-instructors' }];
    expect(await sandbox.journal.verify({ counts, nothingElse: true })).toMatchObject({ holds: true });
  });
});

describe('a call of the guided demo', () => {
  it('counts in the report on its sandbox, because the page plays a client, but not in the one on all', async () => {
    const server = await serve();
    const demo = await server.createSandbox({ id: 'demo-1' });
    const send = (sandbox: string, page: string) =>
      supertest(server.url)
        .post('/public/get-all-instructors')
        .set({ 'SERVICE-API-KEY': key(sandbox), 'Sandbox-Page': page })
        .send({ data: [{ data: {} }] })
        .expect(200);
    await send('demo-1', 'demo');
    await send('demo-1', 'console');
    await send('other', 'none');
    expect(await demo.report()).toMatchObject({ calls: 1, fromPages: 1 });
    const { body } = await supertest(server.url).get('/control/report').expect(200);
    expect(body).toMatchObject({ sandbox: 'other', calls: 1, fromPages: 0 });
  });
});

function key(id: string): string {
  return `sbx_${id}_riverside`;
}

describe('a key in the wrong place', () => {
  it.each([
    ['Authorization', (id: string) => `Bearer ${key(id)}`],
    ['Authorization', (id: string) => `Basic ${Buffer.from(`${key(id)}:`).toString('base64')}`],
    ['Cookie', (id: string) => `session=1; key=${key(id)}`],
    ['X-Api-Key', key],
    ['Referer', (id: string) => `https://app.example/?key=${key(id)}`],
    ['X-Origin', (id: string) => `https://app.example/?k=${key(id).replaceAll('_', '%5F')}`],
  ])('is noticed in the header %s', async (name, value) => {
    const { call, sandbox } = await world();
    await call('get-all-instructors');
    await call('get-all-instructors').set(name, value(sandbox.id));
    await call('get-all-instructors').set(name, value(sandbox.id));
    await call('get-all-instructors').set(name, 'nothing of that kind');
    const entries = await sandbox.journal.list();
    expect(entries.map(({ keyElsewhere }) => keyElsewhere)).toEqual([[], ['header'], ['header'], []]);
    expect(JSON.stringify(entries)).not.toContain(value(sandbox.id));
  });

  it.each([
    ['percent-encoded', (id: string) => key(id).replaceAll('_', '%5F')],
    ['base64-encoded', (id: string) => Buffer.from(key(id)).toString('base64')],
  ])('is noticed in the URL if it is %s, and masked', async (_, value) => {
    const { post, sandbox } = await world();
    const sent = value(sandbox.id);
    await post(`get-all-instructors?x=${sent}`)
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
    const [entry] = await sandbox.journal.list();
    expect(entry?.keyElsewhere).toEqual(['url']);
    expect(entry?.url).not.toContain(sent);
  });
});
