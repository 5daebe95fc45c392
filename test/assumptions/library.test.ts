import { expect } from 'vitest';
import type { Records } from '../../src/contract/generated/facts.ts';
import { schools } from '../support/demo.ts';
import { failureOf, resultOf } from '../support/world.ts';
import { seedFolder, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

const library = 'get-video-library';
const presets = 'get-instructor-permission-presets';
const riverside = { id: schools.riverside, slug: 'riverside', name: 'Riverside Academy' };

/** A school with a video of each title in the root folder. */
function seedOfVideos(titles: readonly string[]): string {
  const videos = titles.map((videoTitle, index): Records['videos'] => ({
    id: index.toString(16).padStart(24, '0'),
    schoolId: schools.riverside,
    folderPath: '/',
    createdAt: '2026-02-11T09:30:00.000Z',
    status: 'Ready',
    videoTitle,
  }));
  return seedFolder({ schools: [riverside], videos });
}

function seedOfPresets(count: number): string {
  const permissionPresets = Array.from({ length: count }, (_, index) => ({
    id: index.toString(16).padStart(24, '0'),
    schoolId: schools.riverside,
    name: `Preset ${index}`,
    requiresResourceIds: false,
    permissionSets: [{ permissions: [`resource-${index}:read`], resourceIdType: 'All' }],
  }));
  return seedFolder({ schools: [riverside], permissionPresets });
}

function titlesOf(result: Record<string, unknown>): readonly string[] {
  // The contract's own list, which every reply of `world` is held against.
  return (result['videoData'] as readonly { videoTitle: string }[]).map(({ videoTitle }) => videoTitle);
}

/** The numbers of the first and the second page; each other number just outside finds nothing. */
function firstPageNumber(first: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    const page = (pageNumber?: number) => call(library, pageNumber === undefined ? {} : { pageNumber });
    const whole = titlesOf(resultOf(await page()));
    const reply = await page(first);
    expect(titlesOf(resultOf(reply))).toEqual(whole);
    noted(reply);
    const second = titlesOf(resultOf(await page(first + 1)));
    expect(second).toHaveLength(19);
    expect(second).not.toContain(whole[0]);
    expect(titlesOf(resultOf(await page(first - 1)))).toEqual([]);
    expect(resultOf(await call(presets, { pageNumber: first, limit: 3 }))).toEqual(
      resultOf(await call(presets, { limit: 3 })),
    );
  };
}

function videoPageSize(size: number): OptionTest {
  return async ({ open, noted }) => {
    const titles = Array.from({ length: 101 }, (_, index) => `Lesson ${index}`);
    const { call } = await open({ seed: seedOfVideos(titles) });
    const reply = await call(library, { pageNumber: 1 });
    expect(resultOf(reply)).toMatchObject({ totalResults: 101, pageSize: size });
    expect(titlesOf(resultOf(reply))).toEqual(titles.slice(0, size));
    noted(reply);
    expect(titlesOf(resultOf(await call(library, { pageNumber: 2 })))).toEqual(titles.slice(size, 2 * size));
  };
}

function presetPageSize(size: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open({ seed: seedOfPresets(21) });
    const reply = await call(presets);
    expect(resultOf(reply)['totalPresetCount']).toBe(21);
    expect(resultOf(reply)['presets']).toHaveLength(size);
    noted(reply);
    expect(resultOf(await call(presets, { pageNumber: 2 }))['presets']).toHaveLength(
      Math.min(size, 21 - size),
    );
    expect(resultOf(await call(presets, { limit: 7 }))['presets']).toHaveLength(7);
  };
}

function fractionalLimit(shown: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    const reply = await call(presets, { limit: 2.5 });
    expect(resultOf(reply)['presets']).toHaveLength(shown);
    noted(reply);
    expect(resultOf(await call(presets, { limit: 3 }))['presets']).toHaveLength(3);
  };
}

function filterMatching(found: readonly string[]): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open({
      seed: seedOfVideos(['Lists', 'Loops', 'more lists', 'About Lists', 'listless']),
    });
    const reply = await call(library, { filterTerm: 'list' });
    expect(titlesOf(resultOf(reply))).toEqual(found);
    noted(reply);
  };
}

function folderMatching(own: number, lower: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    const reply = await call(library, { folderPath: '/Programming' });
    expect(resultOf(reply)['totalResults']).toBe(own);
    noted(reply);
    expect(resultOf(await call(library, { folderPath: '/Programming/Week 1' }))['totalResults']).toBe(lower);
  };
}

function omittedFolderPath(found: number): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    for (const parameters of [{}, { folderPath: '' }]) {
      const reply = await call(library, parameters);
      expect(resultOf(reply)['totalResults']).toBe(found);
      noted(reply);
    }
    expect(resultOf(await call(library, { folderPath: '/' }))['totalResults']).toBe(3);
  };
}

const allFolders = [
  '/Biology',
  '/Biology/Cells',
  '/Biology/Cells/Microscopy',
  '/Biology/Energy',
  '/Biology/Genetics',
  '/Guest Talks',
  '/Guest Talks/Season 1',
  '/Guest Talks/Season 1/Part 2',
  '/Guest Talks/Season 2',
  '/Guest Talks/Season 2/Part 1',
  '/Programming',
  '/Programming/Week 1',
  '/Programming/Week 1/Screencasts',
  '/Programming/Week 2',
  '/Programming/Week 2/Screencasts',
  '/Programming/Week 3',
  '/Statistics',
];

function folderListing(atRoot: readonly string[], inProgramming: readonly string[]): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    const reply = await call(library);
    expect(resultOf(reply)['absoluteFolderPaths']).toEqual(atRoot);
    noted(reply);
    expect(resultOf(await call(library, { folderPath: '/Programming' }))['absoluteFolderPaths']).toEqual(
      inProgramming,
    );
  };
}

/** The folders at the root and in /Programming, of a search for one video below the latter. */
function filteredFolders(atRoot: readonly string[], inProgramming: readonly string[]): OptionTest {
  return async ({ open, noted }) => {
    const { call } = await open();
    const filterTerm = 'Strings in Slow Motion';
    const reply = await call(library, { filterTerm });
    expect(resultOf(reply)).toMatchObject({ totalResults: 1, absoluteFolderPaths: atRoot });
    noted(reply);
    expect(resultOf(await call(library, { filterTerm, folderPath: '/Programming' }))).toMatchObject({
      totalResults: 0,
      absoluteFolderPaths: inProgramming,
    });
    expect(resultOf(await call(library, { filterTerm: 'no such title' }))).toHaveProperty(
      'absoluteFolderPaths',
      atRoot.length === 4 ? atRoot : [],
    );
    expect(resultOf(await call(library))).toHaveProperty('absoluteFolderPaths.length', 4);
  };
}

export const videoLibrary = {
  firstPageNumber: { '1': firstPageNumber(1), '0': firstPageNumber(0) },
  videoPageSize: {
    '20': videoPageSize(20),
    '10': videoPageSize(10),
    '50': videoPageSize(50),
    '100': videoPageSize(100),
  },
  presetPageSize: { '20': presetPageSize(20), '10': presetPageSize(10), '5': presetPageSize(5) },
  pageOutOfRange: {
    'empty-list': async ({ open, noted }) => {
      const { call } = await open();
      for (const pageNumber of [0, 3]) {
        const reply = await call(library, { pageNumber });
        expect(resultOf(reply)).toMatchObject({ totalResults: 39, pageSize: 20, videoData: [] });
        noted(reply);
      }
      expect(resultOf(await call(presets, { pageNumber: 2 }))).toEqual({ totalPresetCount: 8, presets: [] });
    },
    'element-error': async ({ open, noted }) => {
      const { call } = await open();
      for (const pageNumber of [-1, 0, 3, 2 ** 53]) {
        const reply = await call(library, { pageNumber });
        expect(failureOf(reply)).toBe(
          `/data/0/data/pageNumber: There is no page ${pageNumber}: the pages are 1 to 2.`,
        );
        noted(reply);
      }
      expect(failureOf(await call(presets, { pageNumber: 2 }))).toBe(
        '/data/0/data/pageNumber: There is no page 2: the only page is 1.',
      );
      const fromZero = await open({ assumptions: { firstPageNumber: '0' } });
      expect(failureOf(await fromZero.call(library, { pageNumber: 2 }))).toBe(
        '/data/0/data/pageNumber: There is no page 2: the pages are 0 to 1.',
      );
      expect(failureOf(await fromZero.call(presets, { pageNumber: 1 }))).toBe(
        '/data/0/data/pageNumber: There is no page 1: the only page is 0.',
      );
      // A search that finds nothing still has its first page.
      expect(resultOf(await call(library, { filterTerm: 'no such title', pageNumber: 1 }))).toHaveProperty(
        'totalResults',
        0,
      );
    },
  },
  fractionalLimit: {
    floor: fractionalLimit(2),
    round: fractionalLimit(3),
    refuse: async ({ open, noted }) => {
      const { call } = await open();
      const reply = await call(presets, { limit: 2.5 });
      expect(failureOf(reply)).toBe('/data/0/data/limit must be a whole number, but is 2.5.');
      noted(reply);
      expect(resultOf(await call(presets, { limit: 3 }))['presets']).toHaveLength(3);
    },
  },
  limitBelowOne: {
    'element-error': async ({ open, noted }) => {
      const { call } = await open();
      for (const limit of [0, -1, 0.5]) {
        const reply = await call(presets, { limit });
        expect(failureOf(reply)).toBe(`/data/0/data/limit must be at least 1, but is ${limit}.`);
        noted(reply);
      }
    },
    'default-page-size': async ({ open, noted }) => {
      const { call } = await open({ assumptions: { presetPageSize: '5' } });
      for (const limit of [0, -1, 0.5]) {
        const reply = await call(presets, { limit });
        expect(resultOf(reply)['presets']).toHaveLength(5);
        noted(reply);
      }
    },
  },
  filterMatching: {
    'substring-ignoring-case': filterMatching(['Lists', 'more lists', 'About Lists', 'listless']),
    substring: filterMatching(['more lists', 'listless']),
    prefix: filterMatching(['Lists', 'listless']),
  },
  folderMatching: { exact: folderMatching(2, 4), recursive: folderMatching(15, 6) },
  omittedFolderPath: { 'whole-library': omittedFolderPath(39), 'root-folder': omittedFolderPath(3) },
  unknownFolder: {
    'empty-list': async ({ open, noted }) => {
      const reply = await (await open()).call(library, { folderPath: '/Nowhere' });
      expect(resultOf(reply)).toEqual({
        totalResults: 0,
        pageSize: 20,
        videoData: [],
        absoluteFolderPaths: [],
      });
      noted(reply);
    },
    'element-error': async ({ open, noted }) => {
      const { call } = await open();
      const reply = await call(library, { folderPath: '/Nowhere' });
      expect(failureOf(reply)).toBe('/data/0/data/folderPath: The video library has no folder "/Nowhere".');
      noted(reply);
      // A folder without videos of its own exists all the same.
      expect(resultOf(await call(library, { folderPath: '/Guest Talks' }))).toHaveProperty('totalResults', 0);
    },
  },
  folderListing: {
    'direct-subfolders': folderListing(
      ['/Biology', '/Guest Talks', '/Programming', '/Statistics'],
      ['/Programming/Week 1', '/Programming/Week 2', '/Programming/Week 3'],
    ),
    'all-folders': folderListing(allFolders, allFolders),
  },
  filteredFolders: {
    all: filteredFolders(
      ['/Biology', '/Guest Talks', '/Programming', '/Statistics'],
      ['/Programming/Week 1', '/Programming/Week 2', '/Programming/Week 3'],
    ),
    'with-matches': filteredFolders(['/Programming'], ['/Programming/Week 1']),
  },
} satisfies Partial<OptionTests>;

testOptions(videoLibrary);
