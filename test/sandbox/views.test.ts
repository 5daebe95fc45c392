import { describe, expect, it } from 'vitest';
import { ViewMemory } from '../../src/sandbox/view-memory.ts';
import { ViewsByOrigin } from '../../src/sandbox/views-by-origin.ts';
import { instructors } from '../support/demo.ts';
import { resultOf, world } from '../support/world.ts';

const originOf = (number: number): string => `http://origin-${number}.example`;

describe('the views of a sandbox', () => {
  it('are kept for at most 8 origins, however many a client invents', () => {
    const views = new ViewsByOrigin(1_000_000, new ViewMemory(Infinity));
    const kept = Array.from({ length: 8 }, (_, number) => views.from(originOf(number)));
    expect(kept.map((_, number) => views.from(originOf(number)))).toEqual(kept);
    expect(kept.every((one, number) => one === views.from(originOf(number)))).toBe(true);
    views.from(originOf(8));
    expect(kept.filter((one, number) => one === views.from(originOf(number)))).toEqual([]);
  });

  it('have the links of each origin, of the ninth and of the first again, too', async () => {
    const { call } = await world();
    for (const number of [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]) {
      const { instructors: listed } = resultOf(
        await call('get-all-instructors').set('Host', `origin-${number}.example`),
      );
      // The contract says what it is, and `call` holds the reply against that.
      const all = listed as readonly { serviceInstructorId: string; profilePhotoUrl: string }[];
      const photo = all.find(
        ({ serviceInstructorId }) => serviceInstructorId === instructors.riverside.id,
      )?.profilePhotoUrl;
      expect(photo).toMatch(new RegExp(`^${originOf(number)}/assets/`));
    }
  });
});
