import { describe, expect, it } from 'vitest';
import { InFlight } from '../../src/sandbox/in-flight.ts';

describe('memory that clients share', () => {
  it('refuses large amounts while the heap has no room for all of it, and takes small ones', () => {
    let room = 300_000;
    const memory = new InFlight(1_000_000, (bytes) => bytes <= room);
    expect(memory.take(200_000)).toBe(true);
    expect(memory.take(200_000)).toBe(false);
    expect(memory.used).toBe(200_000);
    expect(memory.take(60_000)).toBe(true);
    room = 1_000_000;
    expect(memory.take(200_000)).toBe(true);
  });
});
