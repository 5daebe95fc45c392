import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../src/server/server.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { startServer } from '../../src/server/server.ts';
import { quiz } from '../support/demo.ts';
import { resultOf } from '../support/world.ts';

/** A server with the settings of flags; what it wrote, and how to call it. */
async function serve(settings: Settings) {
  const said = { out: '', err: '' };
  const write = (channel: keyof typeof said) => (text: string) => void (said[channel] += text);
  const running = await startServer(
    { port: 0, ...settings },
    { out: write('out'), err: write('err'), owner: 'a test' },
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
  ])('%s changes what is admitted', async (_, limits, calls) => {
    expect(await admitted(limits)).toBe(calls);
  });
});

describe('--no-auto-create', () => {
  it('leaves the sandbox of a key unopened, and answers as for any invalid key', async () => {
    const { call, running } = await serve({ autoCreate: false });
    expect((await call('get-all-instructors', {}, 'sbx_build-1_riverside')).status).toBe(401);
    expect(running.sandboxes.get('build-1')).toBeUndefined();
    expect((await call('get-all-instructors')).status).toBe(200);
  });

  it('not given, a key opens its sandbox, but only with a school of the seed', async () => {
    const { call, running } = await serve({});
    expect((await call('get-all-instructors', {}, 'sbx_build-1_riverside')).status).toBe(200);
    expect(running.sandboxes.get('build-1')).toBeDefined();
    expect((await call('get-all-instructors', {}, 'sbx_build-2_nowhere')).status).toBe(401);
    expect(running.sandboxes.get('build-2')).toBeUndefined();
  });
});

describe('--log', () => {
  it('pretty tells each exchange in a line, without the key', async () => {
    const { call, running, said } = await serve({ log: 'pretty' });
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', {}, 'sbx_default_nowhere');
    await call('get-video-library', { page_number: 2 });
    await running.stop();
    expect(said.out.split('\n')).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}200 {2}get-quiz-details {2}ok {2}riverside {2}\d+\.\d ms {2}default-1$/,
      ),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}401 {2}get-quiz-details {2}invalid-key {2}- {2}\d+\.\d ms {2}default-2$/,
      ),
      expect.stringMatching(/ 200 {2}get-video-library {2}ok .* default-3$/),
      '          hint: /data/0/data/page_number: did you mean "pageNumber"?',
      '',
    ]);
    expect(said.err).toBe('');
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
