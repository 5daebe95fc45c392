import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
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
    ['is cut short', '{"format":"learning-platform-', 'JSON'],
    ['is empty', '', 'JSON'],
    ['is binary', '\u0000\u0001\u0002', 'JSON'],
    ['is a list', '[]', 'It is not a state file of this program: its "format" is missing.'],
    ['is null', 'null', 'It is not a state file of this program: its "format" is missing.'],
    [
      "is something else's",
      '{"format":"notes"}',
      'It is not a state file of this program: its "format" is the string "notes".',
    ],
    [
      'is of a later version',
      JSON.stringify({ ...good, version: 2 }),
      'Its version is the number 2; this program reads 1.',
    ],
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
    [
      'is of a seed that is not there',
      JSON.stringify({ ...good, seed: { name: 'gone', fingerprint: '' } }),
      'There is no seed "gone".',
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
      changed('coupons', aCoupon, { ...aCoupon, description: 7 }),
      '/changes/coupons/set/1/description must be a string, but is the number 7.',
    ],
    [
      'has a record that is none',
      changed('coupons', null),
      '/changes/coupons/set/0 must be an object, but is null.',
    ],
    [
      'has a record with an unknown field',
      changed('coupons', { ...aCoupon, descriptoin: 'text' }),
      '/changes/coupons/set/0/descriptoin is not a known field. Did you mean "description"?',
    ],
    [
      'has a record that names another that is not there',
      changed('coupons', { ...aCoupon, productId: 'gone' }),
      `/coupons/${coupon.id}/productId must name a record of products, but is the string "gone".`,
    ],
  ])('because it %s is moved aside, named, and never overwritten', async (_, content, reason) => {
    const { server, data, warnings } = await startOn(content);
    expect(existsSync(data)).toBe(false);
    const [aside, ...others] = readdirSync(join(data, '..')).filter((name) =>
      name.startsWith('state.json.unusable-'),
    );
    expect(others).toEqual([]);
    expect(readFileSync(join(data, '..', aside ?? ''), 'utf8')).toBe(content);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${data} is invalid and was moved to ${join(data, '..', aside ?? '')};`);
    expect(warnings[0]).toContain('the sandbox starts from its seed. Reason: ');
    expect(warnings[0]).toContain(reason);
    expect(await server.default.state.get('quizzes', quiz.id)).toHaveProperty(
      'quizTitle',
      'Lists, Tuples and Dictionaries',
    );

    await server.default.reset();
    await server.close();
    expect(JSON.parse(readFileSync(data, 'utf8'))).toMatchObject({ changes: {} });
    expect(readFileSync(join(data, '..', aside ?? ''), 'utf8')).toBe(content);
  });

  it('does not keep the other sandboxes of a folder from theirs', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'broken.json'), '[]');
    writeFileSync(join(data, 'default.json'), changed('coupons', { ...aCoupon, description: 'kept' }));
    const warnings: string[] = [];
    const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
    onTestFinished(() => server.close());
    expect(warnings).toHaveLength(1);
    expect(await server.default.state.get('coupons', coupon.id)).toHaveProperty('description', 'kept');
    expect(await server.sandbox('broken')).toBeNull();
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
});
