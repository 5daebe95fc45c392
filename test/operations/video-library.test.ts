import { expect, it } from 'vitest';
import { withoutPause, type SlicedWork } from '../../src/base/sliced-work.ts';
import type { Records } from '../../src/contract/generated/facts.ts';
import { libraryOf } from '../../src/operations/shared/video-library.ts';

function video(number: number): Records['videos'] {
  return {
    id: `v${number}`,
    schoolId: 'riverside',
    folderPath: number % 2 === 0 ? '/even' : '/odd/deep',
    videoTitle: `Video ${number}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    status: 'Ready',
  };
}

/** Does work, and returns in how many slices. */
function slicesOf(work: SlicedWork<unknown>): number {
  for (let slices = 1; ; slices += 1) if (work.next().done === true) return slices;
}

it('the videos in a folder are looked for in slices, once', () => {
  const library = withoutPause(libraryOf(Array.from({ length: 10_000 }, (_, number) => video(number))));
  const place = { folder: '/odd', recursive: true };
  expect(slicesOf(library.in(place))).toBeGreaterThanOrEqual(10);
  expect(slicesOf(library.in(place))).toBe(1);
  expect(withoutPause(library.in(place)).length).toBe(5000);
});

it('the videos in a folder whose titles match are looked for in slices', () => {
  const library = withoutPause(libraryOf(Array.from({ length: 10_000 }, (_, number) => video(number))));
  const search = { term: 'Video', matching: 'substring' } as const;
  const anywhere = slicesOf(library.search(null, search));
  const inOne = slicesOf(library.search({ folder: '/even', recursive: false }, search));
  expect(inOne).toBeGreaterThanOrEqual(anywhere);
  expect(anywhere).toBeGreaterThanOrEqual(15);
});
