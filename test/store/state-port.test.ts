import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { format, version, type Saved } from '../../src/store/saved.ts';
import { filePort, memoryPort, type StatePort } from '../../src/store/state-port.ts';
import { temporaryFolder } from '../support/command.ts';

function saved(changes: Saved['changes']): Saved {
  return {
    format,
    version,
    sandbox: 'default',
    seed: { name: 'demo', fingerprint: 'abc' },
    beginning: '2026-02-11T09:30:00.000Z',
    changes,
  };
}

const learner = { id: '__proto__', schoolIds: ['1'], email: 'größe\u2028@learners.example' };

const ports: readonly (readonly [string, () => StatePort])[] = [
  ['memory', memoryPort],
  ['file', () => filePort(join(temporaryFolder(), 'state.json'))],
];

async function written(port: StatePort, state: Saved): Promise<unknown> {
  port.data = state;
  await port.write();
  port.data = null;
  await port.read();
  return port.data;
}

describe.each(ports)('a state port over %s', (_, open) => {
  it('holds nothing at first', async () => {
    const port = open();
    await port.read();
    expect(port.data).toBeNull();
  });

  it('gives back what was written, removals and awkward ids included', async () => {
    const state = saved({
      users: { set: [learner], removed: [] },
      coupons: { set: [], removed: ['gone', '__proto__'] },
    });
    expect(await written(open(), state)).toEqual(state);
  });

  it('gives back a state without changes', async () => {
    expect(await written(open(), saved({}))).toEqual(saved({}));
  });

  it('gives back what was written last', async () => {
    const port = open();
    await written(
      port,
      saved({ labs: { set: [{ id: 'a', schoolId: '1', labTitle: 'first' }], removed: [] } }),
    );
    const second = saved({ labs: { set: [{ id: 'a', schoolId: '1', labTitle: 'second' }], removed: [] } });
    expect(await written(port, second)).toEqual(second);
  });
});

describe('the file of a state port', () => {
  it('is one line per record, for people who look inside', async () => {
    const file = join(temporaryFolder(), 'state.json');
    const port = filePort(file);
    const b = { id: 'b', schoolId: '1' };
    port.data = saved({
      users: { set: [learner], removed: ['a'] },
      labs: { set: [{ id: 'c', schoolId: '1' }, b], removed: [] },
    });
    await port.write();
    const lines = readFileSync(file, 'utf8').split(/,?\n +/);
    for (const record of [learner, b]) expect(lines).toContain(JSON.stringify(record));
  });

  it('is all that is left after a write', async () => {
    const folder = temporaryFolder();
    const port = filePort(join(folder, 'state.json'));
    port.data = saved({});
    await port.write();
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('is not made by reading', async () => {
    const file = join(temporaryFolder(), 'state.json');
    await filePort(file).read();
    expect(existsSync(file)).toBe(false);
  });

  it('makes reading fail where it is no JSON, and stays as it is', async () => {
    const file = join(temporaryFolder(), 'state.json');
    writeFileSync(file, '{"format":');
    await expect(filePort(file).read()).rejects.toThrow(SyntaxError);
    expect(readFileSync(file, 'utf8')).toBe('{"format":');
  });
});
