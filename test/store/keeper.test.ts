import { Low } from 'lowdb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseOptions } from '../../src/assumptions.ts';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { Keeper } from '../../src/store/keeper.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import type { Saved } from '../../src/store/saved.ts';
import { labId } from '../support/demo.ts';

/** A sandbox that is kept in something slow: each write ends when the test says so. */
async function kept() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const options = chooseOptions();
  const checks = await new ParameterCheckSource().checksUnder(options);
  const sandbox = new Sandboxes(
    {
      seed: await readSeed('demo'),
      options,
      checks,
      randomSeed: 1,
      limitScale: null,
      scenario: null,
      labels: true,
    },
    {},
  ).default;
  const writes: { readonly title: unknown; end(error?: Error): Promise<void> }[] = [];
  const port = new Low<Saved | null>(
    {
      read: async () => null,
      write: (saved) =>
        new Promise((done, fail) => {
          const end = async (error?: Error): Promise<void> => {
            if (error === undefined) done();
            else fail(error);
            await vi.advanceTimersByTimeAsync(0);
          };
          writes.push({ title: saved?.changes.labs?.set[0]?.labTitle, end });
        }),
    },
    null,
  );
  const errors: unknown[] = [];
  const keeper = new Keeper(sandbox, port, { onError: (error) => errors.push(error) });
  const change = (labTitle: string): void => {
    const lab = sandbox.state.collection('labs').get(labId);
    if (lab !== undefined) sandbox.state.put('labs', { ...lab, labTitle });
  };
  return { keeper, writes, errors, change, titles: () => writes.map(({ title }) => title) };
}

describe('the keeper of a sandbox', () => {
  it('writes changes that come together once, within 100 ms', async () => {
    const { change, titles } = await kept();
    for (const title of ['a', 'b', 'c']) change(title);
    expect(titles()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(titles()).toEqual(['c']);
  });

  it('writes nothing where nothing changed', async () => {
    const { keeper, titles } = await kept();
    await keeper.flush();
    await vi.advanceTimersByTimeAsync(1000);
    expect(titles()).toEqual([]);
  });

  it('writes what changed during a write after it, never beside it', async () => {
    const { change, writes, titles } = await kept();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    change('b');
    await vi.advanceTimersByTimeAsync(1000);
    expect(titles()).toEqual(['a']);
    await writes[0]?.end();
    await vi.advanceTimersByTimeAsync(2000);
    expect(titles()).toEqual(['a', 'b']);
  });

  it('writes the rest at a flush, after a write under way, and then nothing more: the data may be in other hands', async () => {
    const { keeper, change, writes, titles } = await kept();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    change('b');
    const flushed = keeper.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(titles()).toEqual(['a']);
    await writes[0]?.end();
    expect(titles()).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(titles()).toEqual(['a', 'b']);
    await writes[1]?.end();
    await flushed;
    await vi.advanceTimersByTimeAsync(1000);
    expect(titles()).toEqual(['a', 'b']);
  });

  it.each(['flush', 'discard'] as const)(
    'is not done with %s before a write under way is over',
    async (way) => {
      const { keeper, change, writes, titles } = await kept();
      change('a');
      await vi.advanceTimersByTimeAsync(100);
      let isDone = false;
      const done = keeper[way]().then(() => (isDone = true));
      await vi.advanceTimersByTimeAsync(1000);
      expect(isDone).toBe(false);
      await writes[0]?.end();
      await done;
      expect(titles()).toEqual(['a']);
    },
  );

  it('leaves as much time after a slow write as the write took, so that slow writes do not pile up', async () => {
    const { change, writes, titles } = await kept();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(4000);
    change('b');
    await writes[0]?.end();
    await vi.advanceTimersByTimeAsync(3900);
    expect(titles()).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(200);
    expect(titles()).toEqual(['a', 'b']);
    // This write is quick, so that the next one may follow soon.
    await writes[1]?.end();
    change('c');
    await vi.advanceTimersByTimeAsync(60);
    expect(titles()).toEqual(['a', 'b', 'c']);
  });

  it('tells of a write that failed, and tries again at the next change', async () => {
    const { change, writes, errors, titles } = await kept();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    await writes[0]?.end(new Error('no space left'));
    expect(errors).toEqual([new Error('no space left')]);
    change('b');
    await vi.advanceTimersByTimeAsync(1000);
    expect(titles()).toEqual(['a', 'b']);
  });

  it('tries again at a flush, and tells where that fails too', async () => {
    const { keeper, change, writes, titles } = await kept();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    await writes[0]?.end(new Error('no space left'));
    const flushed = expect(keeper.flush()).rejects.toThrow('still no space left');
    await vi.advanceTimersByTimeAsync(0);
    await writes[1]?.end(new Error('still no space left'));
    await flushed;
    expect(titles()).toEqual(['a', 'a']);
  });
});
