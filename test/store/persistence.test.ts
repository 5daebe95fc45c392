import fs, {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon, instructors, items, labId, quiz } from '../support/demo.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { eventually } from '../support/eventually.ts';
import { noSpace } from '../support/no-space.ts';
import { serve } from '../support/serve.ts';

/** One call whose change is acknowledged. */
async function change(
  server: SandboxServer,
  operation: string,
  parameters: object,
  sandbox = 'default',
): Promise<void> {
  const { body, text } = await supertest(server.url)
    .post(`/public/${operation}`)
    .set('SERVICE-API-KEY', `sbx_${sandbox}_riverside`)
    .send({ data: [{ data: parameters }] });
  expect(body, text).toMatchObject([{ output: { status: 'ok' } }]);
}

const describeCoupon = (server: SandboxServer, description: string, sandbox?: string): Promise<void> =>
  change(
    server,
    'update-digital-product-coupon',
    { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId, description },
    sandbox,
  );

const descriptionIn = async (server: SandboxServer, sandbox = 'default'): Promise<string | undefined> =>
  (await (await server.sandbox(sandbox))?.state.get('coupons', coupon.id))?.description;

const contentOf = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('a server with --data FILE.json', () => {
  it('has every acknowledged change after close and a restart', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await serve({ data });
    await describeCoupon(first, 'kept');
    await change(first, 'update-interactive-coding-lab', { labId, labTitle: 'kept too' });
    await change(first, 'create-instructor-account', {
      instructorEmail: 'ana@teachers.example',
      instructorName: 'Ana',
    });
    const answers = [{ questionUniqueId: quiz.single.id, newSelectedOptionIds: [quiz.single.correct] }];
    const details = { courseItemType: 'Quiz', questionsToUpsert: answers };
    await change(first, 'submit-user-course-item', {
      courseItemId: quiz.itemId,
      userId: 'u1',
      details,
      shouldMarkAsCompleted: true,
    });
    const before = await all(first);
    await first.close();

    const second = await serve({ data });
    expect(await all(second)).toEqual(before);
    expect(await descriptionIn(second)).toBe('kept');
    expect((await second.default.state.list('instructors')).at(-1)).toMatchObject({
      email: 'ana@teachers.example',
    });
    expect((await second.default.state.list('submissions')).at(-1)).toMatchObject({
      userId: 'u1',
      isCompleted: true,
    });
  });

  it('holds of the records only what changed, with the name and fingerprint of its seed', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const server = await serve({ data });
    await server.default.clock.set({ mode: 'frozen', now: '2026-02-11T09:30:00.000Z' });
    await server.default.reset();
    await describeCoupon(server, 'changed');
    const record = await server.default.state.get('coupons', coupon.id);
    await server.close();
    expect(contentOf(data)).toEqual({
      format: 'learning-platform-sandbox/state',
      version: 3,
      sandbox: 'default',
      upTo: expect.any(Number),
      id: expect.any(String),
      logs: [expect.any(String)],
      state: {
        seed: { name: 'demo', fingerprint: (await readSeed('demo')).fingerprint },
        beginning: Date.parse('2026-02-11T09:30:00.000Z'),
      },
      facts: expect.objectContaining({ origin: 'server', randomSeed: 1 }),
      snapshots: {},
      changes: { coupons: [record] },
    });
  });

  it('makes no file before something changes', async () => {
    const folder = temporaryFolder();
    const server = await serve({ data: join(folder, 'state.json') });
    await server.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a sandbox of its own beside the file of the default one', { tags: ['slow'] }, async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'state.json');
    const first = await serve({ data });
    await describeCoupon(first, 'of default');
    await describeCoupon(first, 'of build-1', 'build-1');
    await first.close();
    expect(readdirSync(folder).toSorted()).toEqual(['state.build-1.json', 'state.json']);
    const second = await serve({ data });
    expect([await descriptionIn(second), await descriptionIn(second, 'build-1')]).toEqual([
      'of default',
      'of build-1',
    ]);
  });

  it('has a reset after a restart, too', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await serve({ data });
    const seeded = await descriptionIn(first);
    await describeCoupon(first, 'changed');
    await first.default.reset();
    await first.close();
    expect(contentOf(data)).toMatchObject({ changes: {} });
    expect(await descriptionIn(await serve({ data }))).toBe(seeded);
  });

  it('keeps the moment from which relative times count', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await serve({ data });
    await first.default.clock.set({ mode: 'frozen', now: '2020-01-01T00:00:00.000Z' });
    await first.default.reset();
    await describeCoupon(first, 'changed');
    const before = await first.default.state.list('liveEventSessions');
    await first.close();
    const second = await serve({ data });
    expect(await second.default.state.list('liveEventSessions')).toEqual(before);
  });

  it(
    'has what an operation took as an identifier, however long or strange, after a restart',
    { tags: ['slow'] },
    async () => {
      for (const userId of ['x'.repeat(300), '\u0000', '__proto__', 'ö/~1']) {
        const data = join(temporaryFolder(), 'state.json');
        const first = await serve({ data });
        await change(first, 'submit-user-course-item', {
          courseItemId: items.article,
          userId,
          shouldMarkAsCompleted: true,
        });
        await first.close();
        const warnings: string[] = [];
        const second = await serve({ data, warn: (message) => warnings.push(message) });
        expect(warnings).toEqual([]);
        expect((await second.default.state.list('submissions')).at(-1)).toMatchObject({
          userId,
          isCompleted: true,
        });
      }
    },
  );
});

describe('a server with --data DIR', () => {
  it('keeps one file per sandbox, each with its own changes', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    for (const sandbox of ['default', 'one', 'two']) await describeCoupon(first, `of ${sandbox}`, sandbox);
    const before = await all(first, 'two');
    await first.close();
    expect(readdirSync(data).toSorted()).toEqual(['default.json', 'one.json', 'two.json']);
    for (const sandbox of ['default', 'one', 'two'])
      expect(contentOf(join(data, `${sandbox}.json`))).toMatchObject({ sandbox });

    const second = await serve({ data });
    expect(await descriptionIn(second)).toBe('of default');
    expect(await descriptionIn(second, 'one')).toBe('of one');
    expect(await all(second, 'two')).toEqual(before);
  });

  it('opens the sandboxes that it kept where keys open none', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const first = await serve({ data });
    await describeCoupon(first, 'kept', 'one');
    await first.close();
    const second = await serve({ data, autoCreate: false });
    expect(await descriptionIn(second, 'one')).toBe('kept');
    expect(await second.sandbox('two')).toBeNull();
  });

  it('takes a folder that is there for one, even where it is called like a file', async () => {
    const data = join(temporaryFolder(), 'x.json');
    mkdirSync(data);
    const first = await serve({ data });
    await describeCoupon(first, 'kept');
    await first.close();
    expect(readdirSync(data)).toEqual(['default.json']);
    expect(await descriptionIn(await serve({ data }))).toBe('kept');
  });

  it('leaves other files alone', async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    await describeCoupon(first, 'changed');
    await first.close();
    expect(existsSync(join(data, '.lock'))).toBe(false);
    expect(readdirSync(data)).toEqual(['default.json']);
  });
});

describe('a change that cannot be stored', () => {
  it(
    'is refused and undone, and the server is not ready, until all of it can be stored again',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'states');
      const warnings: string[] = [];
      const server = await serve({ data, warn: (message) => warnings.push(message) });
      await describeCoupon(server, 'stored');
      rmSync(data, { recursive: true });
      const refused = await eventually(async () => {
        const reply = await supertest(server.url)
          .post('/public/update-interactive-coding-lab')
          .set('SERVICE-API-KEY', 'sbx_default_riverside')
          .send({ data: [{ data: { labId, labTitle: 'refused' } }] });
        expect(reply.status).toBe(503);
        return reply;
      });
      expect(refused.headers).toMatchObject({ 'retry-after': '1' });
      expect(refused.body).toMatchObject({
        detail: expect.stringMatching(
          /could not be stored, so it had no effect: .* was deleted\. .*tries again/,
        ),
      });
      await expect(server.default.clock.set({ mode: 'frozen' })).rejects.toThrow('could not be stored');
      expect((await supertest(server.url).get('/control/sandboxes/default/clock')).body).toMatchObject({
        mode: 'real',
      });
      // The journal is never stored.
      const journal = '/control/sandboxes/default/journal';
      await supertest(server.url)
        .post(`${journal}/verify`)
        .send({ counts: [{ times: 0 }] })
        .expect(200);
      await supertest(server.url).delete(journal).expect(204);
      const ready = await supertest(server.url).get('/readyz');
      // The next attempt, a second later, fails in another way.
      expect([ready.status, ready.body]).toEqual([
        503,
        { status: expect.stringMatching(/was deleted|no such file/) },
      ]);
      expect((await supertest(server.url).get('/metrics')).text).toMatch(
        /^lp_sandbox_state_write_failures_total [1-9]/m,
      );
      expect(warnings).toEqual([
        expect.stringMatching(/^The state of sandbox "default" cannot be stored, so changes are refused\. /),
      ]);
      mkdirSync(data);
      await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
      const second = await serve({ data: crashCopy(data) });
      expect(await descriptionIn(second)).toBe('stored');
    },
  );

  it(
    'keeps the server from being ready for as long as only smaller changes can be stored',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'states');
      const server = await serve({ data, warn: () => {} });
      await describeCoupon(server, 'stored');
      const { writeSync } = fs;
      const limited = vi.spyOn(fs, 'writeSync').mockImplementation((file: number, text: unknown) => {
        if (typeof text === 'string' && text.length > 20_000)
          throw Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG' });
        return writeSync(file, text as string);
      });
      syncBuiltinESMExports();
      onTestFinished(() => {
        limited.mockRestore();
        syncBuiltinESMExports();
      });
      const ready = async () => (await supertest(server.url).get('/readyz')).status;
      await expect(describeCoupon(server, 'x'.repeat(30_000))).rejects.toThrow('EFBIG');
      await eventually(() => describeCoupon(server, 'small'));
      expect(await ready()).toBe(503);
      limited.mockRestore();
      syncBuiltinESMExports();
      await eventually(async () => expect(await ready()).toBe(200));
    },
  );

  it(
    'is refused also while a file has the place of the folder, and reading goes on',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'states');
      const server = await serve({ data, warn: () => {} });
      await describeCoupon(server, 'stored');
      renameSync(data, `${data}-aside`);
      writeFileSync(data, 'no folder');
      let attempts = 0;
      await eventually(() => {
        attempts += 1;
        return expect(describeCoupon(server, `attempt ${attempts}`)).rejects.toThrow('could not be stored');
      });
      expect((await supertest(server.url).get('/readyz')).status).toBe(503);
      expect(await descriptionIn(server)).not.toBe(`attempt ${attempts}`);
      await supertest(server.url).post('/control/sandboxes').send({ id: 'new' }).expect(503);
      rmSync(data);
      renameSync(`${data}-aside`, data);
      await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
      await describeCoupon(server, 'stored again');
      expect(await descriptionIn(await serve({ data: crashCopy(data) }))).toBe('stored again');
    },
  );

  it('does not wait for a request that waits for calls', { tags: ['slow'] }, async () => {
    const server = await serve({ data: join(temporaryFolder(), 'states') });
    const done: string[] = [];
    const waiting = supertest(server.url)
      .post('/control/sandboxes/default/journal/verify')
      .send({ counts: [{ operation: 'update-digital-product-coupon', times: 1 }], waitMs: 30_000 })
      .then(() => done.push('verify'));
    await server.default.limits.set({ scale: 2 });
    done.push('limits');
    await describeCoupon(server, 'awaited');
    await waiting;
    expect(done).toEqual(['limits', 'verify']);
  });

  it(
    'leaves no part of a line in the log, so that all before and after it is there',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'states');
      const server = await serve({ data, warn: () => {} });
      await describeCoupon(server, 'stored');
      const { writeSync } = fs;
      let left = 40;
      const full = vi
        .spyOn(fs, 'writeSync')
        .mockImplementation((file: number, text: NodeJS.ArrayBufferView | string, from?: number | null) => {
          const whole =
            typeof text === 'string'
              ? Buffer.from(text)
              : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
          const bytes = whole.subarray(from ?? 0);
          if (whole.toString('latin1', 0, 8) !== '{"line":') return writeSync(file, bytes);
          if (left === 0) throw noSpace();
          const written = writeSync(file, bytes.subarray(0, left));
          left -= written;
          return written;
        });
      syncBuiltinESMExports();
      onTestFinished(() => {
        full.mockRestore();
        syncBuiltinESMExports();
      });
      const refused = await supertest(server.url)
        .post('/public/update-interactive-coding-lab')
        .set('SERVICE-API-KEY', 'sbx_default_riverside')
        .send({ data: [{ data: { labId, labTitle: 'refused' } }] });
      expect(refused.text).toContain('ENOSPC: no space left on device');
      const copy = crashCopy(data);
      full.mockRestore();
      syncBuiltinESMExports();
      const warnings: string[] = [];
      const second = await serve({ data: copy, warn: (message) => warnings.push(message) });
      expect([warnings, await descriptionIn(second)]).toEqual([[], 'stored']);
      await eventually(async () => expect((await supertest(server.url).get('/readyz')).status).toBe(200));
      await describeCoupon(server, 'stored again');
      expect(await descriptionIn(await serve({ data: crashCopy(data) }))).toBe('stored again');
    },
  );

  it('does not keep calls that change nothing from their answers', { tags: ['slow'] }, async () => {
    const data = join(temporaryFolder(), 'states');
    const server = await serve({ data, warn: () => {} });
    await describeCoupon(server, 'stored');
    rmSync(data, { recursive: true });
    await supertest(server.url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', 'sbx_default_riverside')
      .send({ data: [{ data: {} }] })
      .expect(200);
  });
});

describe('the seed of a kept sandbox', () => {
  it('stays what it was, with a warning, where the server is started with another', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const first = await serve({ data, seed: 'empty' });
    await change(first, 'create-instructor-account', { instructorEmail: 'ana@teachers.example' });
    await first.close();
    const warnings: string[] = [];
    const second = await serve({ data, seed: 'demo', warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([
      'Sandbox "default" keeps its seed "empty", as do others that have it; "demo" applies only to new sandboxes.\n',
    ]);
    expect(await second.default.state.list('instructors')).toHaveLength(1);
    expect(await second.default.state.get('instructors', instructors.riverside.id)).toBeNull();
  });
});

describe('stored sandboxes with another seed', () => {
  it('cause one message together', async () => {
    const data = temporaryFolder();
    const first = await serve({ data, seed: 'empty' });
    for (const id of ['one', 'two']) await (await first.createSandbox({ id })).limits.set({ scale: 2 });
    await first.default.limits.set({ scale: 2 });
    await first.close();
    const warnings: string[] = [];
    const second = await serve({ data, seed: 'demo', warn: (message) => warnings.push(message) });
    for (const id of ['one', 'two'])
      expect(await (await second.sandbox(id))?.state.list('instructors')).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('Sandbox "default" keeps its seed "empty"')]);
  });
});

describe('the settings of a kept sandbox', () => {
  it(
    'stay what they were, with a warning that names the flags without an effect on it',
    { tags: ['slow'] },
    async () => {
      const data = join(temporaryFolder(), 'state.json');
      const first = await serve({ data, randomSeed: 7, limits: 2 });
      await change(first, 'create-instructor-account', { instructorEmail: 'ana@teachers.example' });
      await first.close();
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      await (await serve({ data, randomSeed: 7, limits: 2, warn })).close();
      await (await serve({ data, warn })).close();
      expect(warnings).toEqual([]);
      await serve({
        data,
        randomSeed: 8,
        limits: 2,
        assume: { unknownId: 'http-404' },
        scenario: 'lost-replies',
        warn,
      });
      expect(warnings).toEqual([
        '--random-seed, --scenario, --assume have no effect on the stored sandbox "default", which keeps its own values. Change them with the control plane, or use another --data.\n',
      ]);
    },
  );
});

async function all(server: SandboxServer, sandbox = 'default'): Promise<object> {
  const { state } = (await server.sandbox(sandbox)) ?? server.default;
  const names = [
    'coupons',
    'labs',
    'instructors',
    'users',
    'submissions',
    'liveEventSessions',
    'courseItems',
  ] as const;
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await state.list(name)] as const)),
  );
}
