import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { format, version, type Saved } from '../../src/store/saved.ts';
import { StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';

const facts: Saved['facts'] = {
  origin: 'server',
  createdAt: 0,
  usedAt: 0,
  ttlSeconds: null,
  randomSeed: 1,
  labels: true,
  lastNumber: 0,
  clock: { mode: 'real', milliseconds: 0 },
  options: {},
  limits: { scale: 1, own: {}, windows: [] },
  faults: { scenario: null, rules: [], named: {}, requested: {} },
};

function saved(changes: Saved['changes']): Saved {
  return {
    format,
    version,
    sandbox: 'default',
    upTo: 7,
    id: 'first',
    logs: [],
    state: { seed: { name: 'demo', fingerprint: 'abc' }, beginning: Date.UTC(2026, 1, 11) },
    facts,
    snapshots: {},
    changes,
  };
}

const learner = { id: '__proto__', schoolIds: ['1'], email: 'größe\u2028@learners.example' };

const open = (): StatePort => new StatePort(join(temporaryFolder(), 'state.json'));

async function written(port: StatePort, state: Saved): Promise<unknown> {
  port.data = state;
  await port.write();
  port.data = null;
  await port.read();
  return port.data;
}

describe('a state port', () => {
  it('holds nothing at first', async () => {
    const port = open();
    await port.read();
    expect(port.data).toBeNull();
  });

  it('does not replace its file by one that somebody has cut off or taken away while it was written', async () => {
    const port = open();
    const state = saved({ users: [learner] });
    await written(port, state);
    port.data = saved({});
    for (const change of [(file: string) => truncateSync(file, 9), (file: string) => rmSync(file)]) {
      port.guard(() => {
        const folder = dirname(port.file);
        for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) change(join(folder, name));
      });
      await expect(port.write()).rejects.toThrow(/was (?:changed by another program|deleted)$/);
    }
    await port.read();
    expect(port.data).toEqual(state);
    expect(readdirSync(dirname(port.file))).toEqual(['state.json']);
  });

  it(
    'leaves no gap in a file that somebody cuts off while it is written, but refuses it',
    { tags: ['slow'] },
    async () => {
      const port = open();
      const folder = dirname(port.file);
      const unfinished = (): string | undefined => readdirSync(folder).find((name) => name.endsWith('.tmp'));
      port.data = saved({
        users: Array.from({ length: 30_000 }, (_, index) => ({ ...learner, id: `u${index}` })),
      });
      const writing = port.write();
      const refused = expect(writing).rejects.toThrow('was changed by another program');
      while (statSync(join(folder, unfinished() ?? '')).size < 200_000) await new Promise(setImmediate);
      truncateSync(join(folder, unfinished() ?? ''), 9);
      await refused;
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('gives back what was written, removals and awkward ids included', async () => {
    const state = saved({
      users: [learner],
      coupons: ['gone', '__proto__'],
    });
    expect(await written(open(), state)).toEqual(state);
  });

  it('gives back a state without changes', async () => {
    expect(await written(open(), saved({}))).toEqual(saved({}));
  });

  it('gives back what was written last', async () => {
    const port = open();
    await written(port, saved({ labs: [{ id: 'a', schoolId: '1', labTitle: 'first' }] }));
    const second = saved({ labs: [{ id: 'a', schoolId: '1', labTitle: 'second' }] });
    expect(await written(port, second)).toEqual(second);
  });
});

describe('the file of a state port', () => {
  it('is one line per record, for people who look inside', async () => {
    const file = join(temporaryFolder(), 'state.json');
    const port = new StatePort(file);
    const b = { id: 'b', schoolId: '1' };
    port.data = saved({
      users: ['a', learner],
      labs: [{ id: 'c', schoolId: '1' }, b],
    });
    await port.write();
    const lines = readFileSync(file, 'utf8').split(/,?\n +/);
    for (const record of [learner, b]) expect(lines).toContain(JSON.stringify(record));
  });

  it('is all that is left after a write', async () => {
    const folder = temporaryFolder();
    const port = new StatePort(join(folder, 'state.json'));
    port.data = saved({});
    await port.write();
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('is not made by reading', async () => {
    const file = join(temporaryFolder(), 'state.json');
    await new StatePort(file).read();
    expect(existsSync(file)).toBe(false);
  });

  it('makes reading fail where it is no JSON, and stays as it is', async () => {
    const file = join(temporaryFolder(), 'state.json');
    const text = `{"format":"${format}",`;
    writeFileSync(file, text);
    await expect(new StatePort(file).read()).rejects.toThrow(SyntaxError);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('can be read by its owner only, and is not written through a link in its way', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'state.json');
    writeFileSync(join(folder, 'other.txt'), 'not ours');
    symlinkSync(join(folder, 'other.txt'), `${file}.tmp`);
    const port = new StatePort(file);
    port.data = saved({});
    await port.write();
    expect(readFileSync(join(folder, 'other.txt'), 'utf8')).toBe('not ours');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
