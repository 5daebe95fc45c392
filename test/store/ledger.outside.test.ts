import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon, labId, quiz } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { call, control, describeCoupon, facts, read, shown, type Json } from '../support/facts.ts';
import { serve } from '../support/serve.ts';

/** What is shown of a sandbox before the end of its server, after a crash and after a stop; and its files then. */
interface Life {
  readonly before: Json;
  readonly crashed: Json;
  readonly stopped: Json;
  readonly files: readonly string[];
}

async function live(): Promise<ReadonlyMap<string, Life>> {
  const data = temporaryFolder();
  const first = await serve({ data });
  const ids = facts.map((_, index) => `fact-${index}`);
  for (const [index, [, happen]] of facts.entries()) {
    const { id } = await first.createSandbox({ id: ids[index] ?? '' });
    await happen({ url: first.url, id });
  }
  const shownBy = ({ url }: SandboxServer): Promise<readonly Json[]> =>
    Promise.all(ids.map((id) => shown({ url, id })));
  const before = await shownBy(first);
  const crashed = await shownBy(await serve({ data: crashCopy(data) }));
  await first.close();
  const files = readdirSync(data);
  const stopped = await shownBy(await serve({ data }));
  return new Map(
    facts.map(([name], index) => [
      name,
      {
        before: before[index] ?? {},
        crashed: crashed[index] ?? {},
        stopped: stopped[index] ?? {},
        files: files.filter((file) => file.startsWith(`${ids[index]}.`)),
      },
    ]),
  );
}

/** A sandbox for each fact, all of one server: every start reads the demo data. */
let lives: Promise<ReadonlyMap<string, Life>> | null = null;

describe('a sandbox with --data', () => {
  it.each(facts.map(([name], index) => [name, index] as const))(
    'has %s after a crash as before, and after a stop',
    async (name, index) => {
      lives ??= live();
      const life = (await lives).get(name);
      expect(life?.before).toHaveProperty('id', `fact-${index}`);
      expect(life?.crashed).toEqual(life?.before);
      expect(life?.files).toEqual([`fact-${index}.json`]);
      expect(life?.stopped).toEqual(life?.before);
    },
  );

  it('continues after a crash: the sixth call of a rule is the sixth, the limit is used up, ids are new', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await control(first, 'post', '/faults', { fault: 'http-error', when: { first: 5 } });
    await control(first, 'put', '/limits', { operations: { 'list-assignments': 2 } });
    const ids: unknown[] = [];
    for (let calls = 0; calls < 3; calls += 1) ids.push((await read(first)).headers['sandbox-request-id']);
    for (let calls = 0; calls < 2; calls += 1)
      await call(first, 'list-assignments', { courseIdentifier: {} });
    const second = await serve({ data: crashCopy(data) });
    const statuses: number[] = [];
    for (let calls = 0; calls < 2; calls += 1) {
      const reply = await read(second);
      statuses.push(reply.status);
      ids.push(reply.headers['sandbox-request-id']);
    }
    expect(statuses).toEqual([200, 200]);
    expect(new Set(ids).size).toBe(5);
    expect((await call(second, 'list-assignments', { courseIdentifier: {} })).status).toBe(429);
  });

  it('plays the scenario on after a crash: the third call of five is the third', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await control(first, 'post', '/faults', { fault: 'http-error', when: { first: 5 } });
    for (let calls = 0; calls < 2; calls += 1) await read(first);
    const second = await serve({ data: crashCopy(data) });
    const statuses: number[] = [];
    for (let calls = 0; calls < 4; calls += 1) statuses.push((await read(second)).status);
    expect(statuses).toEqual([500, 500, 500, 200]);
  });

  it('has a sandbox that nothing has happened in, with its settings', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await first.createSandbox({
      id: 'one',
      seed: 'empty',
      randomSeed: 7,
      profile: 'strict',
      ttlSeconds: 3600,
    });
    const before = await shown({ url: first.url, id: 'one' });
    expect(before).toMatchObject({ seed: 'empty', randomSeed: 7, ttlSeconds: 3600, origin: 'control-plane' });
    const { url } = await serve({ data: crashCopy(data) });
    expect(await shown({ url, id: 'one' })).toEqual(before);
  });

  it('has no sandbox that was deleted, and a new one of its name is new', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await first.createSandbox({ id: 'one' });
    await control(first, 'patch', `/state/labs/${labId}`, { labTitle: 'old' }, 'one');
    await control(first, 'delete', '', undefined, 'one');
    expect(await (await serve({ data: crashCopy(data) })).sandbox('one')).toBeNull();
    const sandbox = await first.createSandbox({ id: 'one' });
    const before = await sandbox.state.get('labs', labId);
    expect(before?.labTitle).not.toBe('old');
    const again = await (await serve({ data: crashCopy(data) })).sandbox('one');
    expect(await again?.state.get('labs', labId)).toEqual(before);
  });

  it('has no part of a sandbox whose deletion was interrupted by a crash', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await first.createSandbox({ id: 'one' });
    await first.close();
    const second = await serve({ data });
    await control(second, 'patch', `/state/labs/${labId}`, { labTitle: 'old' }, 'one');
    const copy = crashCopy(data);
    // As it is between the first and the last of the files.
    renameSync(join(copy, 'one.json'), join(copy, 'one.0.log'));
    const warnings: string[] = [];
    const third = await serve({ data: copy, warn: (message) => warnings.push(message) });
    expect(await third.sandbox('one')).toBeNull();
    expect(warnings).toEqual([]);
    await third.close();
    expect(readdirSync(copy).filter((name) => name.startsWith('one'))).toEqual([]);
    await control(second, 'delete', '', undefined, 'one');
    expect(readdirSync(data).filter((name) => name.startsWith('one'))).toEqual([]);
  });

  it('is the same after a crash, whatever has happened', async () => {
    const step = fc.oneof(
      fc.constantFrom(
        'call',
        'fault',
        'read',
        'snapshot',
        'restore',
        'reset',
        'advance',
        'rule',
        'window',
        'lab',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const data = temporaryFolder();
        const server = await startSandbox({ port: 0, data, scenario: 'slow-day' });
        await control(server, 'put', '/clock', { mode: 'frozen', now: '2026-03-04T05:06:07.000Z' });
        await control(server, 'delete', '/faults');
        let number = 0;
        for (const one of steps) {
          number += 1;
          if (one === 'call') await describeCoupon(server, `change ${number}`);
          if (one === 'fault')
            await call(server, 'get-quiz-details', { quizId: quiz.id }, { fault: 'http-error' });
          if (one === 'read') await read(server);
          if (one === 'snapshot') await control(server, 'put', '/snapshots/one');
          if (one === 'restore')
            await supertest(server.url).post('/control/sandboxes/default/snapshots/one/restore');
          if (one === 'reset') await control(server, 'post', '/reset');
          if (one === 'advance') await control(server, 'post', '/clock/advance', { seconds: 30 });
          if (one === 'rule')
            await control(server, 'post', '/faults', {
              fault: 'http-error',
              when: { every: 2, probability: 0.5 },
            });
          if (one === 'window')
            await control(server, 'patch', '/assumptions', { rateLimitWindow: 'sliding' });
          if (one === 'lab')
            await call(server, 'update-interactive-coding-lab', { labId, labTitle: `Lab ${number}` });
        }
        const before = await shown(server);
        const next = await read(server);
        const again = await startSandbox({ port: 0, data: crashCopy(data) });
        try {
          // The call after `before` is in the log, too.
          expect({ ...(await shown(again)), faults: 0, limits: 0 }).toEqual({
            ...before,
            faults: 0,
            limits: 0,
          });
          expect(await shown(again)).toEqual(await shown(server));
          expect(next.status).toBeGreaterThan(0);
        } finally {
          await Promise.all([server.close(), again.close()]);
        }
      }),
      { numRuns: 6, seed: 16 },
    );
  });
});

/** Starts a server on a log of three changes that was damaged, and was set aside as it was, with this reason. */
async function startDamaged(damage: (text: string) => string, reason: string) {
  const data = temporaryFolder();
  const first = await serve({ data });
  for (const text of ['one', 'two', 'three']) await describeCoupon(first, text);
  const copy = crashCopy(data);
  const log = join(copy, 'default.1.log');
  const damaged = damage(readFileSync(log, 'utf8'));
  writeFileSync(log, damaged);
  const warnings: string[] = [];
  const server = await serve({ data: copy, warn: (message) => warnings.push(message) });
  expect(warnings).toEqual([expect.stringContaining(reason)]);
  const aside = readdirSync(copy).find((name) => name.startsWith('default.1.log.unusable-')) ?? '';
  expect(readFileSync(join(copy, aside), 'utf8')).toBe(damaged);
  return { copy, log, server, warnings };
}

describe('the log of a sandbox', () => {
  it('has each change before it is acknowledged, in a file that only its owner can read', async () => {
    const data = temporaryFolder();
    const server = await serve({ data });
    await describeCoupon(server, 'acknowledged');
    const log = join(data, 'default.1.log');
    expect(readFileSync(log, 'utf8')).toContain('"description":"acknowledged"');
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('may end in a part of a line, which is reported and left out; nothing else is', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await describeCoupon(first, 'whole');
    const copy = crashCopy(data);
    const log = join(copy, 'default.1.log');
    appendFileSync(log, '{"line":3,"changes":{"coupons":[{"id":"ö');
    const warnings: string[] = [];
    const second = await serve({ data: copy, warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The last 41 bytes of .*default\.1\.log are an incomplete line and were ignored\. /,
      ),
    ]);
    expect((await second.default.state.get('coupons', coupon.id))?.description).toBe('whole');
    await describeCoupon(second, 'next');
    const third = await serve({ data: crashCopy(copy) });
    expect((await third.default.state.get('coupons', coupon.id))?.description).toBe('next');
  });

  it('may end in a part of its first line: then its sandbox was not created, and nothing is damaged', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'new.1.log'), '{"line":1,"version":2,"facts":{"ori');
    const warnings: string[] = [];
    const server = await serve({ data, warn: (message) => warnings.push(message) });
    await supertest(server.url).get('/control/sandboxes/new').expect(404);
    expect(warnings).toEqual([expect.stringContaining('new.1.log are an incomplete line and were ignored.')]);
    expect(readdirSync(data).filter((name) => name.includes('unusable'))).toEqual([]);
  });

  it.each([
    [
      'lacks a line',
      (text: string) => text.split('\n').toSpliced(2, 1).join('\n'),
      'Its log has no line 3',
      'one',
    ],
    ['has a line that is no JSON', (text: string) => text.replace('{"line":4,', '{"line":4'), 'JSON', 'two'],
    [
      'has zeros, as after a power failure,',
      (text: string) => text.replace(/"line":4.{40}/, (cut) => '\0'.repeat(cut.length)),
      'JSON',
      'two',
    ],
  ])('that %s is used up to that place, and copied and named', async (_, damage, reason, before) => {
    const { copy, log, server: second, warnings } = await startDamaged(damage, reason);
    expect(warnings[0]).toContain(`${log} is damaged: the part before byte `);
    expect((await second.default.state.get('coupons', coupon.id))?.description).toBe(before);
    await describeCoupon(second, 'next');
    const third = await serve({ data: crashCopy(copy), warn: (message) => warnings.push(message) });
    expect((await third.default.state.get('coupons', coupon.id))?.description).toBe('next');
    expect(warnings).toHaveLength(1);
  });

  it('that is damaged leaves the state file as it was', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await describeCoupon(first, 'folded');
    await first.close();
    const second = await serve({ data });
    await describeCoupon(second, 'one');
    await describeCoupon(second, 'two');
    const copy = crashCopy(data);
    const log = readdirSync(copy).find((name) => name.endsWith('.log')) ?? '';
    for (const [damage, found] of [
      [(text: string) => text.replace('{"line":', '{"line":#'), 'folded'],
      [(text: string) => text.replace('"two"', '2'), 'one'],
      [
        (text: string) =>
          text.replace(/"changes":\{[^\n]*"two"/, '"changes":{"coupons":5},"no":{"a":[{"b":"c"'),
        'one',
      ],
      [(text: string) => text.replace(/\n\{(?=[^\n]*"two")/, '\n#{'), 'one'],
    ] as const) {
      const damagedCopy = crashCopy(copy);
      writeFileSync(join(damagedCopy, log), damage(readFileSync(join(copy, log), 'utf8')));
      const warnings: string[] = [];
      const third = await serve({ data: damagedCopy, warn: (message) => warnings.push(message) });
      expect((await third.default.state.get('coupons', coupon.id))?.description).toBe(found);
      expect(warnings).toHaveLength(1);
      expect(readdirSync(damagedCopy)).toContain('default.json');
    }
  });

  it('of a newer version is not touched, even if there is no state file yet', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await describeCoupon(first, 'one');
    const copy = crashCopy(data);
    const log = join(copy, 'default.1.log');
    const newer = readFileSync(log, 'utf8').replace('"version":3', '"version":4');
    writeFileSync(log, newer);
    await expect(serve({ data: copy })).rejects.toThrow(
      'its version is the number 4, but this program reads 3, 2 and 1.',
    );
    expect(readFileSync(log, 'utf8')).toBe(newer);
  });

  it.each([
    [
      'lacks its first lines',
      (text: string) => text.split('\n').slice(2).join('\n'),
      'Its log has no line 1',
    ],
    [
      'has facts that do not fit',
      (text: string) => text.replace('"labels":true', '"labels":"yes"'),
      '/facts/labels must be a boolean',
    ],
  ])('that %s is moved aside, named, and never overwritten', async (_, damage, reason) => {
    const { log, server: second, warnings } = await startDamaged(damage, reason);
    expect(warnings[0]).toContain(`${log} cannot be used and was moved to a name that ends in .unusable-`);
    expect((await second.default.state.get('coupons', coupon.id))?.description).not.toBe('three');
  });

  it('is folded into the state file when it is long, and the next crash finds everything', async () => {
    const data = temporaryFolder();
    const server = await serve({ data, limits: 'off' });
    const labTitle = 'x'.repeat(90_000);
    for (let number = 0; number < 14; number += 1)
      await call(server, 'update-interactive-coding-lab', { labId, labTitle: `${labTitle}${number}` });
    await eventually(() => expect(readdirSync(data)).toContain('default.json'));
    await eventually(() => expect(readdirSync(data)).not.toContain('default.1.log'));
    await describeCoupon(server, 'after it');
    const second = await serve({ data: crashCopy(data) });
    expect(await shown(second)).toEqual(await shown(server));
  });

  it('starts anew where a folder of state files has one without its log', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await describeCoupon(first, 'stored');
    await first.close();
    truncateSync(join(data, 'default.json'), statSync(join(data, 'default.json')).size);
    const second = await serve({ data });
    await describeCoupon(second, 'later');
    expect(
      readdirSync(data)
        .filter((name) => !name.endsWith('.lock'))
        .toSorted(),
    ).toEqual([expect.stringMatching(/^default\.\d+\.log$/), 'default.json']);
    const third = await serve({ data: crashCopy(data) });
    expect((await third.default.state.get('coupons', coupon.id))?.description).toBe('later');
  });

  it.each(['never', 'second', 'always'] as const)('has each change with --data-sync %s', async (dataSync) => {
    const data = temporaryFolder();
    const server = await serve({ data, dataSync });
    await describeCoupon(server, 'stored');
    const second = await serve({ data: crashCopy(data) });
    expect((await second.default.state.get('coupons', coupon.id))?.description).toBe('stored');
  });
});
