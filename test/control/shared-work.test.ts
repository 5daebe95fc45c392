import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SharedWork } from '../../src/control/shared-work.ts';

describe('Clients that wait for the same work', () => {
  it('share what begins after they arrived, and never what began before', async () => {
    const { shared, begun, end } = tracked();
    const results = Array.from({ length: 100 }, () => shared());
    await Promise.resolve();
    const late = Array.from({ length: 100 }, () => shared());
    await end();
    await end();
    const first = new Set(await Promise.all(results));
    const second = new Set(await Promise.all(late));
    expect([...first]).toEqual([1]);
    expect([...second]).toEqual([2]);
    expect(begun()).toBe(2);
  });

  it('stop it only if all of them are gone', async () => {
    const work = new SharedWork<number>();
    const gone = new Set<number>();
    let areGone = stays;
    const clients = [1, 2, 3].map((client) =>
      work.run(
        () => gone.has(client),
        (allGone) => {
          areGone = allGone;
          return Promise.resolve(7);
        },
      ),
    );
    await Promise.all(clients);
    gone.add(1).add(3);
    expect(areGone()).toBe(false);
    gone.add(2);
    expect(areGone()).toBe(true);
  });

  it(
    'leave no result behind: a report is large, and there are thousands of sandboxes',
    { tags: ['slow'] },
    async () => {
      const work = new SharedWork<object>();
      const result = new WeakRef(await work.run(stays, () => Promise.resolve({ large: true })));
      await new Promise((done) => setImmediate(done));
      setFlagsFromString('--expose-gc');
      // Only the flag brings the function.
      const collect = runInNewContext('gc') as () => void;
      collect();
      expect(result.deref()).toBeUndefined();
      expect(work).toBeDefined();
    },
  );

  it('are told of a failure, and the next ones get a result', async () => {
    const work = new SharedWork<string>();
    const failing = work.run(stays, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(work.run(stays, () => Promise.resolve('whole'))).resolves.toBe('whole');
  });
});

function stays(): boolean {
  return false;
}

/** Work that ends when it is told to, and returns how many began with it. */
function tracked(): { shared: () => Promise<number>; begun: () => number; end: () => Promise<void> } {
  const work = new SharedWork<number>();
  const ends: (() => void)[] = [];
  let begun = 0;
  return {
    shared: () =>
      work.run(stays, () => {
        begun += 1;
        const own = begun;
        return new Promise((done) => ends.push(() => done(own)));
      }),
    begun: () => begun,
    end: async () => {
      ends.shift()?.();
      await new Promise((done) => setImmediate(done));
    },
  };
}
