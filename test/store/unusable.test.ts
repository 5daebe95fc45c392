import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { supertest } from '../support/supertest.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SandboxError, startSandbox } from '../../src/index.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { coupon, quiz, schools } from '../support/demo.ts';

const good = {
  format: 'learning-platform-sandbox/state',
  version: 1,
  sandbox: 'default',
  seed: { name: 'demo', fingerprint: (await readSeed('demo')).fingerprint },
  beginning: '2026-02-11T09:30:00.000Z',
  changes: {},
};
/** A state that differs from its seed in these records of a collection. */
const changed = (collection: string, ...set: readonly unknown[]): string =>
  JSON.stringify({ ...good, changes: { [collection]: { removed: [], set } } });
const aCoupon = { id: coupon.id, schoolId: schools.riverside, productId: coupon.productId };

/** Starts on a file, and tells what became of it. */
async function startOn(content: string) {
  const data = join(temporaryFolder(), 'state.json');
  writeFileSync(data, content);
  const warnings: string[] = [];
  const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
  onTestFinished(() => server.close());
  return { server, data, warnings };
}

describe('a state file that cannot be used', () => {
  it.each([
    ['is cut short', JSON.stringify(good).slice(0, 90), 'JSON'],
    [
      'lacks its seed',
      JSON.stringify({ ...good, seed: undefined }),
      'Its "seed", "beginning" or "changes" is missing or invalid.',
    ],
    [
      'begins at no moment',
      JSON.stringify({ ...good, beginning: 'once' }),
      'Its "seed", "beginning" or "changes" is missing or invalid.',
    ],
    ['has an unknown collection', changed('teachers'), '/changes/teachers is not a collection.'],
    [
      'has changes that are no lists',
      JSON.stringify({ ...good, changes: { coupons: { [coupon.id]: aCoupon } } }),
      '/changes/coupons must have the lists "set" and "removed".',
    ],
    [
      'has no changes in a collection',
      JSON.stringify({ ...good, changes: { coupons: null } }),
      '/changes/coupons must have the lists',
    ],
    [
      'has a record that does not fit',
      changed('coupons', { ...aCoupon, description: 7 }),
      `/changes/coupons/${coupon.id}/description must be a string, but is the number 7.`,
    ],
    [
      'has a record that is none',
      changed('coupons', null),
      '/changes/coupons has a member that is neither a record nor an id.',
    ],
    [
      'has a record with an unknown field',
      changed('coupons', { ...aCoupon, descriptoin: 'text' }),
      `/changes/coupons/${coupon.id}/descriptoin is not a known field. Did you mean "description"?`,
    ],
    [
      'has a record that names another that is not there',
      changed('coupons', { ...aCoupon, productId: 'gone' }),
      `/coupons/${coupon.id}/productId must name a record of products, but is the string "gone".`,
    ],
  ])(
    'because it %s is moved aside, named, and never overwritten',
    { tags: ['slow'] },
    async (_, content, reason) => {
      const { server, data, warnings } = await startOn(content);
      expect(existsSync(data)).toBe(false);
      const [aside, ...others] = readdirSync(join(data, '..')).filter((name) =>
        name.startsWith('state.json.unusable-'),
      );
      expect(others).toEqual([]);
      expect(readFileSync(join(data, '..', aside ?? ''), 'utf8')).toBe(content);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(
        `${data} cannot be used and was moved to a name that ends in ${(aside ?? '').slice('state.json'.length)}. Reason: `,
      );
      expect(warnings[0]).toContain(reason);
      expect(warnings[0]).toContain('The sandbox "default" starts from its seed.');
      expect(await server.default.state.get('quizzes', quiz.id)).toHaveProperty(
        'quizTitle',
        'Lists, Tuples and Dictionaries',
      );

      await server.default.reset();
      await server.close();
      expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ changes: {} });
      expect(readFileSync(join(data, '..', aside ?? ''), 'utf8')).toBe(content);
    },
  );

  it('does not keep the other sandboxes of a folder from theirs', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'broken.json'), changed('teachers'));
    writeFileSync(join(data, 'default.json'), changed('coupons', { ...aCoupon, description: 'kept' }));
    const warnings: string[] = [];
    const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
    onTestFinished(() => server.close());
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('The sandbox "broken" is gone until it is created again.');
    expect(await server.default.state.get('coupons', coupon.id)).toHaveProperty('description', 'kept');
    expect(await server.sandbox('broken')).toBeNull();
  });
});

describe('a good state file that this server cannot use', () => {
  it.each([
    [
      'is of a later version',
      { ...good, version: 4 },
      'its version is the number 4, but this program reads 3, 2 and 1',
    ],
    [
      'is of a seed that is not there',
      { ...good, seed: { name: 'gone', fingerprint: '' } },
      'There is no seed "gone".',
    ],
  ])('because it %s stays where it is, and the server does not start', async (_, content, reason) => {
    const data = join(temporaryFolder(), 'state.json');
    writeFileSync(data, JSON.stringify(content));
    const error: unknown = await startSandbox({ port: 0, data }).catch((caught: unknown) => caught);
    expect(String(error)).toContain(`${data} cannot be used: `);
    expect(String(error)).toContain(reason);
    // Not a wrong setting: the program exits with 1.
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(readFileSync(data, 'utf8')).toBe(JSON.stringify(content));
  });

  it('because the system does not let it read a file of it stays where it is, and the error names --data', async () => {
    const data = temporaryFolder();
    const log = join(data, 'default.1.log');
    writeFileSync(log, '{"line":1');
    // Node reads no file of more than 2 GiB at once.
    truncateSync(log, 2 ** 31 + 1);
    const error: unknown = await startSandbox({ port: 0, data }).catch((caught: unknown) => caught);
    expect(String(error)).toContain(`--data ${data} cannot be used: ${log} `);
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(statSync(log).size).toBe(2 ** 31 + 1);
  });

  it(
    'is loaded where its seed is given by another path with the same content',
    { tags: ['slow'] },
    async () => {
      const seed = join(temporaryFolder(), 'seed');
      cpSync(new URL('../../fixtures/demo', import.meta.url), seed, { recursive: true });
      const gone = { ...good, seed: { ...good.seed, name: '../elsewhere/seed' } };
      const data = join(temporaryFolder(), 'state.json');
      const coupons = { set: [{ ...aCoupon, description: 'kept' }], removed: [] };
      writeFileSync(data, JSON.stringify({ ...gone, changes: { coupons } }));
      const server = await startSandbox({ port: 0, data, seed });
      onTestFinished(() => server.close());
      expect(await server.default.state.get('coupons', coupon.id)).toHaveProperty('description', 'kept');
    },
  );
});

describe('a file of another program', () => {
  it.each([['[]'], ['null'], ['{"format":"notes"}'], ['{"name":"a-package"}'], ['\u0000\u0001']])(
    'with %j is left alone in a folder, and no sandbox is stored in its place',
    async (content) => {
      const data = temporaryFolder();
      writeFileSync(join(data, 'package.json'), content);
      const warnings: string[] = [];
      const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
      onTestFinished(() => server.close());
      expect([warnings, await server.sandbox('package')]).toEqual([[], null]);
      await expect(server.createSandbox({ id: 'package' })).rejects.toThrow(
        `The sandbox "package" would be stored in ${join(data, 'package.json')}, but that file is not a file`,
      );
      await supertest(server.url)
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', 'sbx_package_riverside')
        .send({ data: [{ data: {} }] })
        .expect(503);
      expect(readFileSync(join(data, 'package.json'), 'utf8')).toBe(content);
    },
  );

  it('keeps the server from starting where the default sandbox would be stored', async () => {
    const data = join(temporaryFolder(), 'state.json');
    writeFileSync(data, '{"format":"notes"}');
    const error: unknown = await startSandbox({ port: 0, data }).catch((caught: unknown) => caught);
    expect(String(error)).toContain('is not a file of this program');
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(readFileSync(data, 'utf8')).toBe('{"format":"notes"}');
  });

  it(
    'stays where it is if its name ends as that of an unfinished file, which is deleted',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const token = 'a'.repeat(32);
      mkdirSync(join(data, `folder.json.${token}.lp-sandbox.tmp`));
      writeFileSync(join(data, 'notes.lp-sandbox.tmp'), '{"line":1');
      writeFileSync(join(data, `notes.json.${token}.lp-sandbox.tmp`), 'notes');
      const others = readdirSync(data);
      writeFileSync(join(data, `line.json.${token}.lp-sandbox.tmp`), `${' '.repeat(24)},"changes":{`);
      writeFileSync(join(data, `state.json.${token}.lp-sandbox.tmp`), JSON.stringify(good).slice(0, 80));
      writeFileSync(join(data, `empty.json.${token}.lp-sandbox.tmp`), '');
      const server = await startSandbox({ port: 0, data });
      onTestFinished(() => server.close());
      expect(readdirSync(data).filter((name) => name.endsWith('.tmp'))).toEqual(others);
    },
  );

  it('is none where it is empty: it can be mounted for what is to come', async () => {
    const data = join(temporaryFolder(), 'state.json');
    writeFileSync(data, '');
    const server = await startSandbox({ port: 0, data });
    await server.default.reset();
    await server.close();
    expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ version: 3 });
  });
});

describe('a state file of a seed whose content has changed since', () => {
  it('is loaded with a warning if it is still valid', async () => {
    const seed = { name: 'demo', fingerprint: 'of an earlier version' };
    const coupons = { set: [{ ...aCoupon, description: 'kept' }], removed: [] };
    const { server, data, warnings } = await startOn(JSON.stringify({ ...good, seed, changes: { coupons } }));
    expect(warnings).toEqual([
      `The seed "demo" has changed since ${data} was created. Its changes are still valid and were loaded.\n`,
    ]);
    expect(await server.default.state.get('coupons', coupon.id)).toHaveProperty('description', 'kept');
  });

  it('is not touched if it is not valid any more, and the server does not start', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const seed = { name: 'demo', fingerprint: 'of an earlier version' };
    const coupons = { set: [{ ...aCoupon, productId: 'gone' }], removed: [] };
    const content = JSON.stringify({ ...good, seed, changes: { coupons } });
    writeFileSync(data, content);
    const error: unknown = await startSandbox({ port: 0, data }).catch((caught: unknown) => caught);
    expect(String(error)).toContain(
      `${data} cannot be used: its seed "demo" has changed since, and the stored changes no longer match it. /coupons/${coupon.id}/productId must name a record of products, but is the string "gone". Start the server with the old seed, or delete the file to start from the new one.`,
    );
    expect(error).not.toBeInstanceOf(SandboxError);
    expect(readFileSync(data, 'utf8')).toBe(content);
  });

  it(
    'is not touched if it is that of a sandbox that is not in use yet: its calls get 503',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const server = await startSandbox({ port: 0, data });
      const lazy = await server.createSandbox({ id: 'lazy' });
      await lazy.state.patch('coupons', coupon.id, { description: 'kept' });
      await server.close();
      const file = join(data, 'lazy.json');
      const content = readFileSync(file, 'utf8')
        .replace(/"fingerprint": "[^"]*"/, '"fingerprint": "of an earlier version"')
        .replace(coupon.productId, 'gone');
      writeFileSync(file, content);
      const again = await startSandbox({ port: 0, data });
      onTestFinished(() => again.close());
      const reply = await supertest(again.url)
        .post('/public/get-all-instructors')
        .set('SERVICE-API-KEY', 'sbx_lazy_riverside')
        .send({ data: [{ data: {} }] });
      expect([reply.status, reply.text]).toEqual([
        503,
        expect.stringContaining('the stored changes no longer match it'),
      ]);
      expect(readFileSync(file, 'utf8')).toBe(content);
    },
  );
});
