import { describe, expect, it } from 'vitest';
import { defaultMemoryBytes, heapUse } from '../../src/base/amounts.ts';
import { checkHeap, oldSpaceBytes, oldSpaceIn } from '../../src/base/heap.ts';

const mib = 1_048_576;

describe('the heap', () => {
  it.each([
    ['Node 20', 64 + 48, '--max-old-space-size=64', 64],
    ['Node 24', 64 + 192, '--max-old-space-size=64', 64],
    ['large semi-spaces', 256 + 192, '--max-semi-space-size=64 --max-old-space-size=256', 256],
    ['the spelling of V8', 96 + 48, '--max_old_space_size=96', 96],
    ['the command line after NODE_OPTIONS', 96 + 48, '--max-old-space-size=512 --max-old-space-size=96', 96],
    ['a share of the memory', 512 + 192, '--max-old-space-size-percentage=25', 512],
  ])('is the old space without the young generation: %s', (_, limit, flags, expected) => {
    expect(oldSpaceIn(limit * mib, flags) / mib).toBe(expected);
  });

  it('is most of the limit of V8 if no flag sets it, and never more than all of it', () => {
    const bytes = oldSpaceIn(4144 * mib, '');
    expect(bytes).toBeGreaterThan(3900 * mib);
    expect(bytes).toBeLessThan(4096 * mib);
    expect(oldSpaceIn(112 * mib, '--max-old-space-size=4096')).toBe(112 * mib);
    expect(heapUse(0).max).toBeLessThan(oldSpaceBytes());
  });

  it('leaves room for the server itself: its default shares together are smaller than the rest', () => {
    for (const size of [64, 96, 128, 256]) {
      const rest = size * mib - 48 * mib;
      expect(defaultMemoryBytes(512, size * mib)).toBe(rest / 4);
    }
    expect(defaultMemoryBytes(512, 8192 * mib)).toBe(512 * mib);
    expect(defaultMemoryBytes(512, 32 * mib)).toBe(mib);
  });

  it('must have 64 MiB for a server, and the message names the flag', () => {
    expect(() => checkHeap(64 * mib)).not.toThrow();
    expect(() => checkHeap(48 * mib)).toThrow(
      /^The heap of this process is limited to 48 MiB, .* NODE_OPTIONS=--max-old-space-size=64 or more\.$/,
    );
  });
});
