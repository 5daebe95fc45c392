import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { onceOnDemand } from '../../src/base/on-demand.ts';
import { warmUp } from '../../src/server/warm-up.ts';

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Parts that note when they are loaded. */
function parts(...names: readonly string[]) {
  const loaded: string[] = [];
  const load = (name: string) => async (): Promise<void> => {
    loaded.push(name);
    if (name === 'broken') throw new Error('It is broken.');
  };
  return { loaded, parts: names.map(load) };
}

describe('what requests may need later', () => {
  it('is loaded one part at a time, and one that cannot be loaded keeps no other from it', async () => {
    fakeTimers();
    const { loaded, parts: all } = parts('pages', 'broken', 'control');
    warmUp(all, () => 0);
    const seen: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await vi.advanceTimersByTimeAsync(150);
      seen.push(loaded.length);
    }
    expect([seen, loaded]).toEqual([
      [1, 2, 3, 3],
      ['pages', 'broken', 'control'],
    ]);
  });

  it('waits for a pause between requests, but not for ever', async () => {
    fakeTimers();
    const { loaded, parts: all } = parts('pages');
    let requests = 0;
    warmUp(all, () => (requests += 1));
    await vi.advanceTimersByTimeAsync(20 * 150);
    expect(loaded).toEqual([]);
    await vi.advanceTimersByTimeAsync(150);
    expect(loaded).toEqual(['pages']);
  });

  it('is loaded no more once the server stops', async () => {
    fakeTimers();
    const { loaded, parts: all } = parts('pages', 'control');
    const warming = warmUp(all, () => 0);
    await vi.advanceTimersByTimeAsync(150);
    warming.cancel();
    await vi.advanceTimersByTimeAsync(1000);
    expect(loaded).toEqual(['pages']);
  });
});

describe('something that is made on demand', () => {
  it('is made once for all who ask, and a failure is forgotten', async () => {
    const make = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error('There is no descriptor left.'))
      .mockResolvedValue('made');
    const get = onceOnDemand(make);
    const failed = await Promise.allSettled([get(), get()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all([get(), get()])).toEqual(['made', 'made']);
    expect(make).toHaveBeenCalledTimes(2);
  });
});
