import { describe, expect, it } from 'vitest';
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
});
