import { stripVTControlCharacters } from 'node:util';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../src/server/server.ts';
import { showsColors } from '../../src/base/terminal-colors.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { startServer } from '../../src/server/server.ts';
import { quiz } from '../support/demo.ts';
import { resultOf } from '../support/world.ts';

/** A server with the settings of flags; what it wrote, and how to call it. */
async function serve(settings: Settings, colors = false) {
  const said = { out: '', err: '' };
  const write = (channel: keyof typeof said) => (text: string) => void (said[channel] += text);
  const running = await startServer(
    { port: 0, ...settings },
    { out: write('out'), err: write('err'), owner: 'a test', colors },
  );
  onTestFinished(() => running.stop());
  // Where it listens; its URL may be another.
  const client = supertest(`http://127.0.0.1:${running.listening.port}`);
  const call = (operation: string, parameters: object = {}, key = 'sbx_default_riverside') =>
    client
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', key)
      .send({ data: [{ data: parameters }] });
  return { running, said, client, call };
}

describe('--public-url', () => {
  it.each([
    'https://sandbox.school.example',
    'https://sandbox.school.example/',
    'https://school.example/sandbox/',
  ])('stands in every link: %s', async (publicUrl) => {
    const { running, client, call } = await serve({ publicUrl });
    const origin = publicUrl.replace(/\/$/, '');
    const { instructors } = resultOf(await call('get-all-instructors')) as {
      instructors: { profilePhotoUrl: string }[];
    };
    for (const { profilePhotoUrl } of instructors)
      expect(profilePhotoUrl).toMatch(new RegExp(`^${origin}/assets/`));
    expect((await client.get('/openapi.json')).body).toHaveProperty('servers.0.url', origin);
    expect((await client.get('/')).body).toHaveProperty('operations', `${origin}/public/<operation>`);
    expect(running.url).toBe(origin);
  });

  it('is where clients say they reach the server, where it is not given', async () => {
    const { call } = await serve({});
    const reply = await call('get-all-instructors').set('Host', 'sandbox.school.example:8080');
    expect(reply.text).toContain('"http://sandbox.school.example:8080/assets/');
  });

  it.each(['<script>', 'a b', 'x/../y', 'x"y'])('is never made of a Host that is none: %s', async (host) => {
    const { call, running } = await serve({});
    const reply = await call('get-all-instructors').set('Host', host);
    expect(reply.text).toContain(`"http://127.0.0.1:${running.listening.port}/assets/`);
    expect(reply.text).not.toContain(`${JSON.stringify(host).slice(1, -1)}/assets/`);
  });
});

const admitted = async (limits: number | null): Promise<number> => {
  const { call } = await serve({ limits });
  for (let count = 0; ; count += 1)
    if (count === 40 || (await call('get-all-instructors')).status !== 200) return count;
};

describe('--limits', () => {
  it.each([
    ['off', null, 40],
    ['2', 2, 30],
    ['0.5', 0.5, 7],
    ['0.0001', 0.0001, 1],
  ])('%s changes what is admitted', { tags: ['slow'] }, async (_, limits, calls) => {
    expect(await admitted(limits)).toBe(calls);
  });
});

describe('--no-auto-create', () => {
  it(
    'leaves the sandbox of a key unopened, and answers as for any invalid key',
    { tags: ['slow'] },
    async () => {
      const { call, running } = await serve({ autoCreate: false });
      expect((await call('get-all-instructors', {}, 'sbx_build-1_riverside')).status).toBe(401);
      expect(running.sandboxes.get('build-1')).toBeUndefined();
      expect((await call('get-all-instructors')).status).toBe(200);
    },
  );

  it('not given, a key opens its sandbox, but only with a school of the seed', async () => {
    const { call, running } = await serve({});
    expect((await call('get-all-instructors', {}, 'sbx_build-1_riverside')).status).toBe(200);
    expect(running.sandboxes.get('build-1')).toBeDefined();
    expect((await call('get-all-instructors', {}, 'sbx_build-2_nowhere')).status).toBe(401);
    expect(running.sandboxes.get('build-2')).toBeUndefined();
  });
});

describe('--log', () => {
  it('pretty tells each exchange in a line with aligned columns, without the key', async () => {
    const { call, running, said } = await serve({ log: 'pretty' });
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', {}, 'sbx_default_nowhere');
    await call('get-video-library', { page_number: 2 });
    await running.stop();
    const lines = said.out.split('\n');
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}default-1 +riverside +\d+\.\d ms {2}200 +get-quiz-details +ok$/,
      ),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}default-2 +- +\d+\.\d ms {2}401 +get-quiz-details +invalid-key +The API key .*$/,
      ),
      expect.stringMatching(/ default-3 .* 200 +get-video-library +ok$/),
      '          hint: /data/0/data/page_number: did you mean "pageNumber"?',
      '',
    ]);
    for (const column of [' riverside| - ', ' \\d\\d\\d  ', 'get-', ' ok$| invalid-key '])
      expect(new Set(lines.slice(0, 3).map((line) => line.search(column))).size).toBe(1);
    expect(said.err).toBe('');
  });

  it('pretty tells in the same line why a call failed', { tags: ['slow'] }, async () => {
    const { call, running, said } = await serve({ log: 'pretty' });
    const batch = [{ data: { quizId: quiz.id } }, { data: { quizId: 'no-such-quiz' } }];
    await call('get-quiz-details', { quizId: 'no-such-quiz' });
    await call('get-quiz-details').send({ data: batch });
    await call('get-quiz-details').send({ data: {} });
    await call('get-quiz-details', { quizId: quiz.id }).set('Sandbox-Fault', 'http-error; status=503');
    await call('get-quizz');
    await running.stop();
    expect(said.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        / 200 +get-quiz-details +error +The school has no quiz with the identifier "no-such-quiz"\.$/,
      ),
      expect.stringMatching(
        / 200 +get-quiz-details +error +1 of 2 elements: \/data\/1\/data\/quizId: The school has no quiz/,
      ),
      expect.stringMatching(/ 400 +get-quiz-details +\S+ +\/data must be an array/),
      expect.stringMatching(/ 503 +get-quiz-details +fault +http-error \(requested by the call\)$/),
      expect.stringMatching(/ 404 +get-quizz +unmatched +There is no operation "get-quizz"/),
    ]);
  });

  it.each(['reset', 'timeout', 'empty-response'])(
    'pretty names what the client gets instead of a status: %s',
    { tags: ['slow'] },
    async (fault) => {
      const { call, running, said } = await serve({ log: 'pretty' });
      await call('get-all-instructors')
        .set('Sandbox-Fault', fault)
        .timeout(300)
        .catch(() => {});
      await running.stop();
      const word = fault.replace('-response', '');
      expect(said.out).toMatch(
        new RegExp(`ms {2}${word} +get-all-instructors +fault +${fault} \\(requested`),
      );
    },
  );

  it('pretty has colors only if the output shows them', async () => {
    for (const colors of [true, false]) {
      const { call, running, said } = await serve({ log: 'pretty' }, colors);
      await call('get-quiz-details', { quizId: quiz.id });
      await call('get-quiz-details', { quizId: 'no-such-quiz' });
      await running.stop();
      expect(said.out.includes('\u001B[')).toBe(colors);
      const lines = stripVTControlCharacters(said.out).split('\n');
      expect(lines[0]).toMatch(/ 200 +get-quiz-details +ok$/);
      expect(lines[1]).toMatch(/ 200 +get-quiz-details +error +The school has no quiz/);
    }
  });

  it.each([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('colors need a terminal (%s) and a user who wants them: %o', (isTerminal, environment, expected) => {
    expect(showsColors(isTerminal, environment)).toBe(expected);
  });

  it('silent tells nothing', async () => {
    const { call, running, said } = await serve({ log: 'silent' });
    await call('get-quiz-details', { quizId: quiz.id });
    await running.stop();
    expect(said).toEqual({ out: '', err: '' });
  });
});

describe('a port', () => {
  it('that is taken stops the start, and leaves nothing behind', async () => {
    const { running } = await serve({});
    const { port } = running.listening;
    await expect(serve({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is already in use.`);
  });

  it('of an address that is not this machine is wrong usage', async () => {
    await expect(serve({ host: '192.0.2.1' })).rejects.toThrow(SandboxError);
  });
});
