import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chooseOptions } from '../../src/assumptions.ts';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { noShelf, type SandboxesOptions } from '../../src/sandbox/sandboxes-options.ts';
import { readSeed } from '../../src/store/read-seed.ts';

async function newSandboxes(given: SandboxesOptions = {}): Promise<Sandboxes> {
  const options = chooseOptions();
  const checks = await new ParameterCheckSource().checksUnder(options);
  return new Sandboxes(
    {
      seed: await readSeed('demo'),
      options,
      checks,
      randomSeed: 1,
      limitScale: null,
      scenario: null,
      labels: true,
    },
    given,
  );
}

describe('a sandbox that is made while the server stops', () => {
  it('keeps nobody waiting', async () => {
    const sandboxes = await newSandboxes();
    sandboxes.stopWaiting();
    const { clock } = sandboxes.create({ id: 'late', origin: 'key' });
    await new Promise<void>((done) => void clock.wait(3_600_000, done));
  });
});

describe('a sandbox that is removed during a request', () => {
  it('is kept until the request ends, so that the stopping server ends its waits, and no longer', async () => {
    const sandboxes = await newSandboxes();
    const stopped: string[] = [];
    const remove = (id: string): Sandbox => {
      const sandbox = sandboxes.create({ id, origin: 'control-plane' });
      sandbox.stopWaiting = () => void stopped.push(id);
      // Its own DELETE, and a call.
      sandbox.begin();
      sandbox.begin();
      sandboxes.remove(sandbox);
      sandbox.finish();
      return sandbox;
    };
    remove('ended').finish();
    remove('in-progress');
    sandboxes.stopWaiting();
    expect(stopped).toEqual(['in-progress']);
  });
});

describe('a sandbox that is removed twice', () => {
  it('does not take a later one of its name with it', async () => {
    const removed: Sandbox[] = [];
    const sandboxes = await newSandboxes({ onRemove: (sandbox) => removed.push(sandbox) });
    const first = sandboxes.create({ id: 'one', origin: 'control-plane' });
    sandboxes.remove(first);
    const second = sandboxes.create({ id: 'one', origin: 'control-plane' });
    sandboxes.remove(first);
    expect(sandboxes.get('one')).toBe(second);
    expect(removed).toEqual([first]);
  });
});

describe('a stored sandbox', () => {
  it('stays in memory until its callers could use it, even if another one needs its place', async () => {
    const sandboxes = await newSandboxes({ maxSandboxes: 2, shelf: { ...noShelf, accept: () => true } });
    const inMemory = (): readonly string[] => [...sandboxes.all].map(({ id }) => id);
    sandboxes.restore({ id: 'first', origin: 'key' });
    sandboxes.restore({ id: 'second', origin: 'key' });
    expect(inMemory()).toEqual(['default', 'first', 'second']);
    await setImmediate();
    sandboxes.restore({ id: 'third', origin: 'key' });
    expect(inMemory()).toEqual(['default', 'second', 'third']);
  });

  it('is never created anew', async () => {
    const sandboxes = await newSandboxes({ shelf: { ...noShelf, has: (id) => id === 'stored' } });
    expect(() => sandboxes.create({ id: 'stored', origin: 'key' })).toThrow('is not loaded yet');
  });
});
