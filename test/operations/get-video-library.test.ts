import { describe, expect, it } from 'vitest';
import { schools } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';

const operation = 'get-video-library';
const rootFolders = ['/Biology', '/Guest Talks', '/Programming', '/Statistics'];

/**
 * A school's videos as an answer is to show them, from the records of the state; those of one folder where
 * one is named.
 */
async function expected(
  { sandbox }: World,
  { school = schools.riverside, folder }: { school?: string; folder?: string } = {},
) {
  return (await sandbox.state.list('videos'))
    .filter(
      ({ schoolId, folderPath }) => schoolId === school && (folder === undefined || folderPath === folder),
    )
    .map(({ id, createdAt, videoTitle }) => ({ createdAt, status: 'CcFailed', videoId: id, videoTitle }));
}

async function titlesFor({ call }: World, parameters: object): Promise<readonly unknown[]> {
  const { videoData } = resultOf(await call(operation, parameters)) as {
    videoData: { videoTitle: string }[];
  };
  return videoData.map(({ videoTitle }) => videoTitle);
}

describe('the video library', () => {
  it('has the first page of all videos of the school, and the folders at the root', async () => {
    const place = await world();
    const all = await expected(place);
    expect(resultOf(await place.call(operation))).toEqual({
      totalResults: 39,
      pageSize: 20,
      videoData: all.slice(0, 20),
      absoluteFolderPaths: rootFolders,
    });
  });

  it("shows another school's own videos and folders to that school only", async () => {
    const place = await world();
    const videoData = await expected(place, { school: schools.hillcrest });
    expect(resultOf(await place.call(operation, {}, 'hillcrest'))).toEqual({
      totalResults: 15,
      pageSize: 20,
      videoData,
      absoluteFolderPaths: ['/Spanish', '/Web Design'],
    });
  });

  it('is empty for a school that has no videos', async () => {
    const { call } = await world({ seed: 'empty' });
    expect(resultOf(await call(operation))).toEqual({
      totalResults: 0,
      pageSize: 20,
      videoData: [],
      absoluteFolderPaths: [],
    });
  });
});

describe('a video library with very many folders', () => {
  const template = {
    schoolId: schools.riverside,
    createdAt: '2026-01-05T09:00:00.000Z',
    status: 'CcFailed',
    videoTitle: 'Deep',
  };
  const deep = (number: number) => ({
    ...template,
    id: number.toString(16).padStart(24, '0'),
    folderPath: `/${number}${'/a'.repeat(240)}`,
  });

  it('is refused as a limit of this server', { tags: ['slow'] }, async () => {
    const { sandbox, batch } = await world();
    for (let number = 0; number < 82; number += 1) await sandbox.state.put('videos', deep(number));
    expect(resultOf(await batch(operation, [{}]))).toHaveProperty('totalResults', 121);
    await sandbox.state.put('videos', deep(82));
    const { status, type, body } = await batch(operation, [{}]);
    expect({ status, type }).toEqual({ status: 413, type: 'application/problem+json' });
    expect(body).toHaveProperty(
      'detail',
      'The video library has more than 20000 folders. This is a limit of this server, not of the platform.',
    );
  });

  it('never has a path of more than 500 characters', async () => {
    const { sandbox } = await world();
    const record = { ...deep(1), folderPath: `/${'a'.repeat(500)}` };
    await expect(sandbox.state.put('videos', record)).rejects.toThrow(/folderPath.*500/s);
  });
});

describe('the pages of the video library', () => {
  it('hold every video once, in order, with the same totals and folders on every page', async () => {
    const place = await world();
    const all = await expected(place);
    for (const [index, videoData] of [all.slice(0, 20), all.slice(20), []].entries()) {
      const result = resultOf(await place.call(operation, { pageNumber: index + 1 }));
      expect(result).toEqual({ totalResults: 39, pageSize: 20, videoData, absoluteFolderPaths: rootFolders });
    }
  });

  it('are counted of what a search found', async () => {
    const place = await world();
    const found = (await expected(place)).filter(({ videoTitle }) => videoTitle.includes('Lesson'));
    const second = resultOf(await place.call(operation, { filterTerm: 'lesson', pageNumber: 2 }));
    expect(second).toMatchObject({ totalResults: found.length, videoData: found.slice(20) });
    expect(found.length).toBeGreaterThan(20);
  });

  it.each([0, -1, 3, 1e300])(
    'have none with the number %d: no videos, and the true totals',
    async (pageNumber) => {
      const { call } = await world();
      expect(resultOf(await call(operation, { pageNumber }))).toMatchObject({
        totalResults: 39,
        pageSize: 20,
        videoData: [],
      });
    },
  );
});

describe('a folder of the video library', () => {
  it.each([
    ['/', 3, rootFolders],
    ['/Programming', 2, ['/Programming/Week 1', '/Programming/Week 2', '/Programming/Week 3']],
    ['/Programming/Week 1', 4, ['/Programming/Week 1/Screencasts']],
    ['/Programming/Week 1/Screencasts', 2, []],
    ['/Guest Talks', 0, ['/Guest Talks/Season 1', '/Guest Talks/Season 2']],
    ['/Guest Talks/Season 1', 0, ['/Guest Talks/Season 1/Part 2']],
  ])(
    '%s has its own videos and its direct subfolders',
    async (folderPath, totalResults, absoluteFolderPaths) => {
      const place = await world();
      const videoData = await expected(place, { folder: folderPath });
      expect(videoData).toHaveLength(totalResults);
      expect(resultOf(await place.call(operation, { folderPath }))).toEqual({
        totalResults,
        pageSize: 20,
        videoData,
        absoluteFolderPaths,
      });
    },
  );

  it('leads on to every video of the school when walked from the root', async () => {
    const { call } = await world();
    const walk = async (folderPath: string): Promise<number> => {
      const result = resultOf(await call(operation, { folderPath })) as {
        totalResults: number;
        absoluteFolderPaths: string[];
      };
      let videos = result.totalResults;
      for (const folder of result.absoluteFolderPaths) videos += await walk(folder);
      return videos;
    };
    expect(await walk('/')).toBe(39);
  });

  it.each(['Programming/Week 2', '/Programming/Week 2/', '//Programming//Week 2'])(
    'is found by %s too',
    async (folderPath) => {
      const { call } = await world();
      const exactly = resultOf(await call(operation, { folderPath: '/Programming/Week 2' }));
      expect(resultOf(await call(operation, { folderPath }))).toEqual(exactly);
      expect(exactly).toHaveProperty('totalResults', 4);
    },
  );

  it.each([
    ['/Nowhere', ''],
    ['/Program', ''],
    ['/programming', ' Did you mean "/Programming"?'],
    ['/Programming/Week 1/Screencasts/More', ' Did you mean "/Programming/Week 1/Screencasts"?'],
  ])('that there is not, %s, is told so', async (folderPath, hint) => {
    const { call } = await world();
    expect(failureOf(await call(operation, { folderPath }))).toBe(
      `/data/0/data/folderPath: The video library has no folder "${folderPath}".${hint}`,
    );
  });

  it('of another school is answered exactly as one that does not exist', async () => {
    const { call } = await world();
    const [foreign, missing] = [
      await call(operation, { folderPath: '/Spanish' }),
      await call(operation, { folderPath: '/Nowhere' }),
    ];
    expect(foreign.text.replace('/Spanish', '/Nowhere')).toBe(missing.text);
    expect(resultOf(await call(operation, { folderPath: '/Spanish' }, 'hillcrest'))).toHaveProperty(
      'totalResults',
      4,
    );
  });
});

describe('a search in the video library', () => {
  it.each([
    ['Screencast', 3],
    ['sCREENcast', 3],
    ['Off by One', 1],
    ['ÉTÉ', 1],
    ['天気予報', 1],
    ['КЛЕТКА', 1],
    ['what', 1],
    ['?', 1],
    ['.*', 0],
    ['Semantic HTML', 0],
  ])('for "%s" finds %d titles that hold it, whatever the case', async (filterTerm, totalResults) => {
    const place = await world();
    const result = resultOf(await place.call(operation, { filterTerm }));
    const held = ({ videoTitle }: { videoTitle: string }) =>
      videoTitle.toLowerCase().includes(filterTerm.toLowerCase());
    const videoData = (await expected(place)).filter(held);
    expect(result).toEqual({ totalResults, pageSize: 20, videoData, absoluteFolderPaths: rootFolders });
  });

  it('looks in the one folder that is named with it', async () => {
    const place = await world();
    expect(await titlesFor(place, { filterTerm: 'lesson 1', folderPath: '/Statistics' })).toEqual([
      'Lesson 1: Averages That Mislead',
    ]);
    expect(await titlesFor(place, { filterTerm: 'lesson 2', folderPath: '/Biology/Cells' })).toEqual([
      'Lesson 2: Inside the Cell',
    ]);
    expect(await titlesFor(place, { filterTerm: 'screencast', folderPath: '/Programming' })).toEqual([]);
  });

  it('for nothing finds everything', async () => {
    const place = await world();
    const plain = resultOf(await place.call(operation));
    expect(resultOf(await place.call(operation, { filterTerm: '', folderPath: '' }))).toEqual(plain);
  });
});

describe('get-video-library', () => {
  it('answers a batch element by element', async () => {
    const { batch } = await world();
    const outputs = outputsOf(
      await batch(operation, [
        { folderPath: '/Energy' },
        { pageNumber: 0.5 },
        { folderPath: '/Biology/Energy' },
      ]),
    );
    expect(outputs).toMatchObject([
      {
        status: 'error',
        errorMessage:
          '/data/0/data/folderPath: The video library has no folder "/Energy". Did you mean "/Biology/Energy"?',
      },
      {
        status: 'error',
        errorMessage: expect.stringContaining('/data/1/data/pageNumber must be an integer'),
      },
      { status: 'ok', data: { totalResults: 2 } },
    ]);
  });

  it.each([
    [{ filterTerm: 7 }, '/data/0/data/filterTerm must be a string, but is the number 7'],
    [{ pageNumber: '2' }, '/data/0/data/pageNumber must be an integer, but is the string "2"'],
    [{ folderPath: ['/'] }, '/data/0/data/folderPath must be a string, but is an array'],
  ])('refuses %j with a pointer to what is wrong', async (parameters, message) => {
    const { call } = await world();
    expect(failureOf(await call(operation, parameters))).toContain(message);
  });
});
