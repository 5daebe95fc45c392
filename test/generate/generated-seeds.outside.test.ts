import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planNamed, writtenName } from '../../src/generate/counts.ts';
import { SandboxError, startSandbox } from '../../src/index.ts';
import { isLocalTime } from '../../src/base/local-time.ts';
import { collectionNames, type CollectionName } from '../../src/sandbox/seed.ts';
import { makeRecords } from '../../src/store/generated-seeds.ts';
import { readSeed, Seeds } from '../../src/store/read-seed.ts';
import { writeSeed } from '../../src/store/write-seed.ts';
import { temporaryFolder } from '../support/command.ts';
import { sharedServer } from '../support/world.ts';

/** What others need, or what is expensive. */
const ranges: Partial<Record<CollectionName, readonly [least: number, most: number]>> = {
  schools: [1, 5],
  products: [1, 9],
  courseItems: [1, 30],
  users: [8, 30],
  instructors: [0, 8],
  liveEvents: [1, 6],
};

const wishable = collectionNames.filter((name) => name !== 'submissions');

/** A few of each collection, some of them none. How many submissions there can be depends on the others. */
const wishes = fc.record(
  Object.fromEntries([
    ...wishable.map((name) => {
      const [min, max] = ranges[name] ?? [0, 12];
      return [writtenName(name), fc.integer({ min, max })] as const;
    }),
    ['random-seed', fc.nat(2 ** 32 - 1)] as const,
  ]),
  { requiredKeys: [] },
);

function nameOf(wished: object): string {
  return `generated:${Object.entries(wished)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')}`;
}

/** Every text of a value of plain data. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const textOf = (name: string): Promise<string> =>
  makeRecords(planNamed(name).plan).then((world) => JSON.stringify(world));

describe('a generated seed', () => {
  it('fits the schemas, names only what is there, and is the same in memory as in a folder, whatever is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (wished) => {
        const name = nameOf(wished);
        const { plan } = planNamed(name);
        const folder = temporaryFolder();
        await writeSeed(folder, await makeRecords(plan));
        // Reading checks every record and every reference.
        const read = await readSeed(folder);
        const made = await new Seeds().named(name);
        expect(made.fingerprint).toBe(read.fingerprint);
        for (const collection of collectionNames) {
          expect(read.collections[collection].byId.size).toBe(plan.counts[collection]);
          expect([...made.collections[collection].byId]).toEqual([...read.collections[collection].byId]);
          expect(made.collections[collection].relative).toEqual(read.collections[collection].relative);
        }
      }),
      { numRuns: 4 },
    );
  });

  it('has a fingerprint that empty collections do not change', async () => {
    const name = 'generated:videos=0';
    const folder = temporaryFolder();
    await writeSeed(folder, await makeRecords(planNamed(name).plan));
    rmSync(join(folder, 'videos.json'));
    expect((await readSeed(folder)).fingerprint).toBe((await new Seeds().named(name)).fingerprint);
  });

  it('keeps what belongs together in one school', async () => {
    const {
      schools,
      products,
      courseItems,
      quizzes,
      coupons,
      liveEvents,
      liveEventSessions,
      submissions,
      users,
      instructors,
    } = await makeRecords(planNamed('generated:schools=3,products=7,instructors=24').plan);
    const schoolOf = new Map(
      [products, courseItems, quizzes, coupons, liveEvents].flatMap((list) =>
        list.map(({ id, schoolId }) => [id, schoolId]),
      ),
    );
    for (const { schoolId, productId, quizId } of courseItems) {
      expect([schoolOf.get(productId), quizId === undefined ? schoolId : schoolOf.get(quizId)]).toEqual([
        schoolId,
        schoolId,
      ]);
    }
    for (const { schoolId, productId } of [...coupons, ...liveEvents])
      expect(schoolOf.get(productId)).toBe(schoolId);
    for (const { schoolId, liveEventId } of liveEventSessions)
      expect(schoolOf.get(liveEventId)).toBe(schoolId);
    const people = new Map(users.map((user) => [user.id, user]));
    for (const { schoolId, userId, courseItemId } of submissions) {
      expect([schoolOf.get(courseItemId), people.get(userId)?.schoolIds]).toEqual([schoolId, [schoolId]]);
    }
    for (const { userId, email, schoolIds } of instructors)
      expect(people.get(userId)).toMatchObject({ email, schoolIds });
    expect(instructors.some(({ schoolIds }) => schoolIds.length === 2)).toBe(true);
    expect(courseItems.some(({ quizId }) => quizId !== undefined)).toBe(true);
    expect(new Set(schools.map(({ slug }) => slug)).size).toBe(3);
  });

  it('has quizzes that can be answered, and answers to them', async () => {
    const { quizzes, submissions } = await makeRecords(planNamed('generated:quizzes=60').plan);
    const options = new Map<string, readonly string[]>();
    for (const { questionId, type, options: given } of quizzes.flatMap(({ questions }) => questions)) {
      options.set(
        questionId,
        given.map(({ optionId }) => optionId),
      );
      const right = given.filter(({ isCorrectOption }) => isCorrectOption);
      expect([type, right.length > 1]).toEqual([type, type === 'MultiCorrect']);
      expect(right.length).toBeGreaterThan(0);
      expect(new Set(given.map(({ text }) => text)).size).toBe(4);
    }
    const answers = submissions.flatMap((submission) => submission.answers);
    expect(answers.length).toBeGreaterThan(20);
    for (const { questionUniqueId, selectedOptionIds } of answers)
      expect(options.get(questionUniqueId)).toEqual(expect.arrayContaining([...selectedOptionIds]));
  });

  it('has ids as the demo has them, invented addresses, pictures that are there, and no text that stands for nothing', async () => {
    const world = await makeRecords(planNamed('generated:schools=20,users=300,videos=100').plan);
    const text = JSON.stringify(world);
    const ids = [...text.matchAll(/"id":"(.*?)"/g)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(1000);
    expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
    const addresses = [...text.matchAll(/"email":"(.*?)"/g)].map(([, email = '']) => email);
    expect(
      addresses.filter((email) => !/^[a-z0-9.-]+@(students\.)?[a-z0-9-]+\.example$/.test(email)),
    ).toEqual([]);
    expect(new Set(world.users.map(({ email }) => email)).size).toBe(world.users.length);
    expect(
      [...text.matchAll(/https?:\/\/[^/"]*/g)].filter(([origin]) => !origin.endsWith('.example')),
    ).toEqual([]);
    const pictures = new Set([...text.matchAll(/"(\/assets\/.*?)"/g)].map(([, path = '']) => path));
    expect(pictures.size).toBeGreaterThan(5);
    for (const path of pictures) expect([path, existsSync(`fixtures${path}`)]).toEqual([path, true]);
    expect(textsIn(world).filter((one) => /^(null|undefined)?$|\[object/.test(one))).toEqual([]);
    for (const { scheduledStartAtIso, endsAtIso } of world.liveEventSessions) {
      expect(scheduledStartAtIso).toMatch(/^today (?:0[89]|1[0-7]):00 UTC /);
      expect(isLocalTime(endsAtIso)).toBe(true);
    }
  });

  it('gives nobody the address of another, though many have the same name', async () => {
    const { users } = await makeRecords(
      planNamed('generated:schools=1,users=1500,instructors=0,videos=0').plan,
    );
    const addresses = users.map(({ email = '' }) => email);
    expect(new Set(addresses).size).toBe(1500);
    expect(addresses.some((address) => address.includes('2@'))).toBe(true);
  });

  it('has no two quizzes with the same title in a school, and course items with the titles of their quizzes', async () => {
    const { quizzes, courseItems } = await makeRecords(
      planNamed('generated:schools=3,products=6,quizzes=600').plan,
    );
    const titles = quizzes.map(({ schoolId, quizTitle }) => `${schoolId} ${quizTitle}`);
    expect(new Set(titles).size).toBe(600);
    expect(quizzes.some(({ quizTitle }) => quizTitle.endsWith(', Part 2'))).toBe(true);
    const byId = new Map(quizzes.map(({ id, quizTitle }) => [id, quizTitle]));
    for (const { quizId, title } of courseItems.filter((item) => item.quizId !== undefined))
      expect(title).toBe(byId.get(quizId ?? ''));
  });

  it('is the same for the same random seed, whatever the order of words, and another one for another', async () => {
    const text = await textOf('generated:videos=40,random-seed=7');
    expect(await textOf('generated:random-seed=7,videos=40')).toBe(text);
    expect(await textOf('generated:random-seed=8,videos=40')).not.toBe(text);
    expect(planNamed('generated: videos = 040 , random-seed=7').name).toBe(
      'generated:videos=40,random-seed=7',
    );
  });

  // CI runs this on every Node that is supported. Whoever changes what is generated changes the fingerprint here, and says so in CHANGELOG.md.
  it('is the same on every machine and tomorrow', async () => {
    const { fingerprint } = await new Seeds().named('generated:schools=3,random-seed=5');
    expect(fingerprint).toBe('1cc0d3b63e924bdc8a5fd667e7b08a5c5f9e58110e283e00af47502b5dc784ac');
  });

  it('begins with the same records where it is larger', async () => {
    const [small, large] = await Promise.all(
      [10, 20].map((videos) => makeRecords(planNamed(`generated:videos=${videos}`).plan)),
    );
    expect(large?.videos.slice(0, 10)).toEqual(small?.videos);
  });

  it('lets others have their turn while it is made', async () => {
    const order: string[] = [];
    const made = makeRecords(
      planNamed('generated:videos=4000').plan,
      (written) => void order.push(`${written}`),
    ).then(() => order.push('made'));
    await new Promise((go) => setImmediate(go));
    order.push('turn');
    await made;
    expect(order.at(-1)).toBe('made');
    expect(order.indexOf('turn')).toBeLessThan(order.length - 3);
  });

  it('takes turns with others, so that a small one need not wait for large ones, nor anybody for many', async () => {
    const seeds = new Seeds();
    const made: string[] = [];
    const names = ['videos=3000,random-seed=1', 'videos=3000,random-seed=2', 'videos=1'];
    await Promise.all(
      names.map((name) => seeds.named(`generated:${name}`, 'names-only').then(() => made.push(name))),
    );
    expect(made[0]).toBe('videos=1');
  });

  it('is not made where there is no room for it, and the next one is', async () => {
    const seeds = new Seeds();
    const asked: number[] = [];
    const requireRoom = ({ videos }: { readonly videos: number }): void => {
      asked.push(videos);
      throw new Error('There is no room.');
    };
    const refused = seeds.named('generated:videos=9000', 'names-only', { requireRoom });
    await expect(refused).rejects.toThrow('There is no room.');
    expect(asked).toEqual([9000]);
    expect((await seeds.named('generated:videos=3')).collections.videos.byId.size).toBe(3);
  });

  it('is not made to its end where nobody waits for it any more', async () => {
    const seeds = new Seeds();
    const waiting = { first: true, second: true };
    const [first, second] = (['first', 'second'] as const).map((one) =>
      seeds.named('generated:videos=9000', 'names-only', { isGone: () => !waiting[one] }).catch(String),
    );
    waiting.first = false;
    await seeds.named('generated:videos=1');
    waiting.second = false;
    expect(await Promise.all([first, second])).toEqual(
      [first, second].map(() => 'Error: No request is waiting for the seed any longer.'),
    );
  });

  it('waits where ten others are being made, in order of arrival, and ends where the server stops', async () => {
    const seeds = new Seeds();
    const made: string[] = [];
    const ask = (name: string): Promise<unknown> =>
      seeds.named(`generated:videos=${name}`).then(() => made.push(name), String);
    const large = Array.from({ length: 10 }, (_, number) => ask(`1000,random-seed=${number}`));
    const small = Array.from({ length: 200 }, (_, number) => ask(`0,random-seed=${number}`));
    await Promise.race(small);
    expect(made[0]).toMatch(/^1000/);
    // At most nine that began earlier may still be in progress.
    const numbers = made.filter((name) => name.startsWith('0')).map((name) => Number(name.split('=')[1]));
    expect(Math.max(...numbers)).toBeLessThan(numbers.length + 9);
    seeds.stop();
    const stopped = 'Error: The server has stopped.';
    expect((await Promise.all([...large, ...small])).filter((outcome) => outcome === stopped)).toHaveLength(
      210 - made.length,
    );
    expect(await ask('1')).toBe(stopped);
  });

  it('is refused over HTTP where a hundred others wait, whose clients are still there', async () => {
    const seeds = new Seeds();
    const gone = new Set<number>();
    let number = 0;
    const ask = (): Promise<string> => {
      number += 1;
      const own = number;
      return seeds
        .named(`generated:videos=9000,random-seed=${own}`, 'names-only', { isGone: () => gone.has(own) })
        .then(() => 'made', String);
    };
    const others = Array.from({ length: 110 }, ask);
    await expect(ask()).resolves.toContain('is generating 10 seeds, and 100 others wait.');
    for (const one of [11, 50, 110]) gone.add(one);
    const accepted = [ask(), ask(), ask()];
    await expect(ask()).resolves.toContain('100 others wait');
    expect(await Promise.all(others.filter((_, index) => gone.has(index + 1)))).toEqual(
      Array(3).fill('Error: No request is waiting for the seed any longer.'),
    );
    seeds.stop();
    expect(new Set(await Promise.all(accepted))).toEqual(new Set(['Error: The server has stopped.']));
  });
});

describe('the name of a generated seed', () => {
  it.each([
    ['generated:vidoes=3', 'Did you mean "videos"?', 'Known: schools, products, course-items'],
    ['generated:courseItems=3', 'Did you mean "course-items"?', 'Known:'],
    ['generated:videos', 'videos=1000', 'each name once'],
    ['generated:videos=1,videos=2', 'each name once', '"generated:videos=1,videos=2"'],
    ['generated:videos=-1', 'videos must be a whole number from 0 to 1000000', '"-1"'],
    ['generated:schools=0', 'schools must be a whole number from 1', '"0"'],
    ['generated:schools=100000', 'records; the maximum is 2000000', 'Reduce the numbers'],
    ['generated:products=0,coupons=2', 'coupons 2 needs at least 1 of products', 'coupons'],
    ['generated:users=3,instructors=4', 'instructors 4 needs at least as many users', 'there are 3'],
    ['generated:schools=1,users=8,submissions=99', 'submissions 99 are too many', 'the maximum is 36'],
    [`generated:${','.repeat(5000)}`, 'must have the form generated:videos=1000', '(5010 characters)'],
    [`generated:${'v'.repeat(900)}=1`, 'has no setting "vvv', '(900 characters)'],
  ])('is refused where it is %s, with what would do', async (name, ...parts) => {
    const error: unknown = await new Seeds().named(name).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SandboxError);
    for (const part of parts) expect(String(error)).toContain(part);
  });

  it('may ask for nothing in particular, and for nothing at all of what others need', async () => {
    expect(planNamed('generated:').plan.counts).toMatchObject({ schools: 2, videos: 60, products: 6 });
    expect(planNamed('generated:products=0').plan.counts).toMatchObject({
      products: 0,
      courseItems: 0,
      liveEventSessions: 0,
      submissions: 0,
      quizzes: 12,
    });
    expect(planNamed('generated:instructors=100').plan.counts.users).toBeGreaterThan(100);
  });

  it('is told among the seeds that there are', async () => {
    await expect(new Seeds().named('dmo')).rejects.toThrow('or generate one: generated:videos=1000.');
  });
});

/** The second page of the lessons of a school's video library. */
async function pageOf(url: string, key: string): Promise<unknown> {
  const reply = await supertest(url)
    .post('/public/get-video-library')
    .set('SERVICE-API-KEY', key)
    .send({ data: [{ data: { filterTerm: 'Lesson', pageNumber: 2 } }] });
  return reply.body;
}

describe('a server', () => {
  it("has it by the demo's keys, from --seed, from a folder and for a sandbox of its own", async () => {
    const name = 'generated:videos=90,random-seed=3';
    const folder = temporaryFolder();
    await writeSeed(folder, await makeRecords(planNamed(name).plan));
    const shared = await sharedServer();
    const own = await shared.createSandbox({ seed: name });
    const pages = [await pageOf(shared.url, own.apiKey('riverside'))];
    for (const seed of [name, folder]) {
      const server = await startSandbox({ port: 0, seed });
      onTestFinished(() => server.close());
      pages.push(await pageOf(server.url, server.default.apiKey('riverside')));
    }
    expect(pages[0]).toMatchObject([{ output: { status: 'ok', data: { totalResults: 45, pageSize: 20 } } }]);
    expect(pages).toEqual([pages[0], pages[0], pages[0]]);
    expect(await own.describe()).toHaveProperty('seed', name);
  });

  it('makes no more of it over HTTP than it can bear, and says how else', async () => {
    const { url } = await sharedServer();
    const { status, body } = await supertest(url)
      .post('/control/sandboxes')
      .send({ seed: 'generated:videos=1000000' });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        detail: expect.stringContaining(
          'the maximum over HTTP is 20000. Start the server with --seed',
        ) as string,
      }),
    ]);
    expect(
      (await supertest(url).post('/control/sandboxes').send({ seed: 'generated:videos=500' })).status,
    ).toBe(201);
  });

  it('goes on after a restart with what was changed, and says when the seed comes out otherwise than it did', async () => {
    const data = join(temporaryFolder(), 'state.json');
    const seed = 'generated:videos=5,random-seed=11';
    const warnings: string[] = [];
    const serve = () => startSandbox({ port: 0, data, seed, warn: (text) => void warnings.push(text) });
    const first = await serve();
    const [video] = await first.default.state.list('videos');
    await first.default.state.patch('videos', video?.id ?? '', { videoTitle: 'Changed' });
    await first.close();
    const second = await serve();
    expect(await second.default.state.get('videos', video?.id ?? '')).toHaveProperty('videoTitle', 'Changed');
    await second.close();
    expect(warnings).toEqual([]);
    writeFileSync(
      data,
      readFileSync(data, 'utf8').replace(/"fingerprint": "\w+"/, '"fingerprint": "another"'),
    );
    const third = await serve();
    expect(await third.default.state.get('videos', video?.id ?? '')).toHaveProperty('videoTitle', 'Changed');
    await third.close();
    expect(warnings.join('')).toContain('The seed "generated:videos=5,random-seed=11" has changed since');
  });
});
