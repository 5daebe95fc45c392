import { describe, expect, it } from 'vitest';
import { shortageHeader, shortageText } from '../../src/base/shortage.ts';
import { InFlight } from '../../src/sandbox/in-flight.ts';

describe('memory that clients share', () => {
  it('refuses what makes it grow by 64 KiB while the heap has no room for all of it, at once or in small amounts', () => {
    let room = 300_000;
    const memory = new InFlight(1_000_000, (bytes) => bytes <= room);
    expect(memory.take(200_000)).toBe(true);
    expect(memory.take(200_000)).toBe(false);
    expect(memory.used).toBe(200_000);
    expect(Array.from({ length: 100 }, () => memory.take(9000)).filter(Boolean).length).toBeLessThan(17);
    expect(memory.used).toBeLessThan(300_000 + 65_536);
    room = 1_000_000;
    expect(memory.take(200_000)).toBe(true);
  });

  it('names what is exceeded: the setting, the share of the heap, or the heap', () => {
    const set = new InFlight(100_000);
    expect([set.take(100_001), set.shortage]).toEqual([false, { of: 'setting', max: 100_000 }]);
    const share = new InFlight(100_000, () => true, true);
    expect([share.take(100_001), share.shortage]).toEqual([false, { of: 'heap-share', max: 100_000 }]);
    const full = new InFlight(1_000_000, () => false);
    expect([full.take(100_000), full.shortage]).toEqual([
      false,
      { of: 'heap', used: expect.any(Number), max: expect.any(Number) },
    ]);
    // What is exceeded later is named instead.
    expect([full.take(1_000_001), full.shortage]).toEqual([false, { of: 'setting', max: 1_000_000 }]);
  });

  it('is said to be of a small heap where a setting could not change it', () => {
    const share = { of: 'heap-share', max: 100_000 } as const;
    const heap = { of: 'heap', used: 300_000, max: 200_000 } as const;
    expect(shortageHeader('waitingCallsBytes', share)).toBe('waitingCallsBytes; max=100000');
    expect(shortageHeader('waitingCallsBytes', heap)).toBe('heap; used=300000; max=200000');
    for (const shortage of [share, heap]) {
      const text = shortageText('waitingCallsBytes', shortage);
      expect(text).toContain('NODE_OPTIONS=--max-old-space-size=MB gives the process a larger heap');
      expect(text).not.toContain('--max waitingCallsBytes');
    }
    expect(shortageText('waitingCallsBytes', heap)).toContain('300000 bytes are used or reserved');
  });
});
