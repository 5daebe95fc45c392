import { describe, expect, it } from 'vitest';
import type { SlicedWork } from '../../src/base/sliced-work.ts';
import { MemoryQueue } from '../../src/sandbox/memory-queue.ts';
import { Slices } from '../../src/sandbox/slices.ts';

/** Work of some steps that take a millisecond each. */
function* working(steps: number, done: () => void): SlicedWork<void> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  done();
}

describe('work in slices', () => {
  it(
    'that is short does not wait for the end of work that is long, whichever came first',
    { tags: ['slow'] },
    async () => {
      const slices = new Slices();
      const order: string[] = [];
      const long = [1, 2].map((number) => slices.run(working(60, () => order.push(`long ${number}`))));
      const short = slices.run(working(3, () => order.push('short')));
      await Promise.all([...long, short]);
      expect(order).toHaveLength(3);
      expect(order[0]).toBe('short');
    },
  );

  it('that fails rejects with its error, and the others go on', async () => {
    const slices = new Slices();
    const failing = slices.run(
      working(20, () => {
        throw new RangeError('no');
      }),
    );
    let isDone = false;
    await expect(failing).rejects.toThrow(RangeError);
    await slices.run(working(20, () => (isDone = true)));
    expect(isDone).toBe(true);
  });
});

/** A queue, and what entered it in order. Each work lasts until it is ended. */
function queued() {
  const queue = new MemoryQueue(1600);
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (name: string, bytes: number): Promise<void> =>
    queue.run(bytes, async () => {
      entered.push(name);
      await new Promise<void>((end) => void ends.set(name, end));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise<void>((turn) => void setImmediate(turn));
  };
  return { entered, enter, end };
}

describe('work that takes up much memory', () => {
  it('enters as far as there is room, the rest in order', async () => {
    const { entered, enter, end } = queued();
    for (const [name, bytes] of [
      ['a', 1000],
      ['b', 1000],
      ['c', 300],
    ] as const)
      void enter(name, bytes);
    await end('nothing');
    expect(entered).toEqual(['a']);
    await end('a');
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('is alone if it needs more than there is', async () => {
    const { entered, enter, end } = queued();
    void enter('huge', 1_000_000);
    void enter('next', 200);
    await end('nothing');
    expect(entered).toEqual(['huge']);
    await end('huge');
    expect(entered).toEqual(['huge', 'next']);
  });

  it('does not delay what is small', async () => {
    const { entered, enter, end } = queued();
    void enter('huge', 1_000_000);
    void enter('small', 100);
    await end('nothing');
    expect(entered).toEqual(['huge', 'small']);
  });
});
