import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { record } from '../../src/commands/record/command.ts';
import { SandboxError } from '../../src/base/errors.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
import { serve } from '../support/serve.ts';
import { demoCalls } from './demo-calls.ts';
import { recordHere, startRecording } from './recorder.ts';

async function call(
  { url }: { readonly url: string },
  operation: string,
  parameters: object,
  key = 'sbx_default_riverside',
): Promise<Response> {
  const body = JSON.stringify({ data: [{ data: parameters }] });
  return fetch(`${url}/public/${operation}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
    body,
  });
}

async function recordDemo(
  upstream: string,
  out: string,
  more: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const recorder = await recordHere(upstream, out, more);
  for (const { operation, parameters } of demoCalls) await call(recorder, operation, parameters);
  await recorder.stop();
  return filesIn(out);
}

/** The files of a recording. Its latencies differ every time. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file !== 'record-latencies.json');
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

describe('lp-sandbox record', () => {
  it.each([
    [
      'without a folder',
      '--upstream http://127.0.0.1:9',
      'Set the folder for the seed, for example: --out recorded-school',
    ],
    [
      'without an upstream',
      '--out HERE/seed',
      'Set the service to forward calls to, for example: --upstream',
    ],
    [
      'into a folder that holds something',
      '--upstream http://127.0.0.1:9 --out HERE/full',
      'full is not empty;',
    ],
    ['into a file', '--upstream http://127.0.0.1:9 --out HERE/full/file', 'full/file is a file;'],
    [
      'with a secret that can be guessed',
      '--upstream http://127.0.0.1:9 --out HERE/seed --secret hush',
      '--secret must have at least 16 characters',
    ],
    [
      'with times of an unknown kind',
      '--upstream http://127.0.0.1:9 --out HERE/seed --times now',
      '--times must be relative or absolute, but is "now".',
    ],
    ['with a log', '--upstream http://127.0.0.1:9 --out HERE/seed --log json', '--log'],
  ])('is refused at once %s', async (_, words, message) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'file'), 'mine');
    const { code, said } = invoke(record, words.replaceAll('HERE', folder).split(' '));
    const error = await code.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).toContain(message);
    expect([said(), readdirSync(folder)]).toEqual([{ out: '', err: '' }, ['full']]);
  });

  it('has neither a log nor a control plane, whatever the surroundings say', async () => {
    const upstream = await serve();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sandbox.config.yaml'), 'log: json\n');
    const env = {
      SANDBOX_LOG: 'pretty',
      SANDBOX_CONTROL_PORT: '0',
      SANDBOX_CONFIG: join(folder, 'sandbox.config.yaml'),
    };
    const recorder = await recordHere(upstream.url, join(folder, 'seed'), [], env);
    expect((await call(recorder, 'get-all-instructors', {})).status).toBe(200);
    expect((await fetch(`${recorder.url}/control/sandboxes/default/journal`)).status).toBe(404);
    const { out, err } = await recorder.stop();
    expect([out.match(/get-all-instructors/g), err]).toEqual([null, '']);
    expect(out).toContain(`To use it: lp-sandbox start --seed ${join(folder, 'seed')}\n`);
  });

  it('writes nothing, and says so, where no call succeeded', async () => {
    const upstream = await serve();
    const folder = temporaryFolder();
    const recorder = await recordHere(upstream.url, join(folder, 'seed'));
    await call(recorder, 'get-quiz-details', { quizId: 'unknown' });
    const { code, err } = await recorder.stop();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^lp-sandbox: No call succeeded, .*seed was not written\.\n$/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves a seed where it is killed', { timeout: 60_000 }, async () => {
    const upstream = await serve();
    const folder = temporaryFolder();
    const recorder = await startRecording(upstream.url, 'seed', folder);
    await call(recorder, 'get-all-instructors', {});
    await eventually(() => expect(readdirSync(folder)).toEqual(['seed']));
    await eventually(() => expect(readdirSync(join(folder, 'seed'))).toContain('checkpoint.json'));
    recorder.process.kill('SIGKILL');
    await recorder.stop();
    expect((await readSeed(join(folder, 'seed'))).collections.instructors.byId.size).toBeGreaterThan(5);
    expect(readFileSync(join(folder, 'seed', 'checkpoint.json'), 'utf8')).not.toMatch(/Mira Okafor/);
    const again = invoke(record, ['--upstream', 'http://127.0.0.1:9', '--out', join(folder, 'seed')]);
    await expect(again.code).rejects.toThrow(
      'has the checkpoint of a recording. To use it, run: lp-sandbox start --seed',
    );
  });

  it('continues a recording with --append and the same secret, as if it had been one', async () => {
    const upstream = await serve({ limits: null });
    const folder = temporaryFolder();
    const same = ['--secret', 'sixteen letters and more', '--times', 'absolute'];
    const whole = await recordDemo(upstream.url, join(folder, 'whole'), same);
    for (const [at, more] of [[], ['--append']].entries()) {
      const recorder = await recordHere(upstream.url, join(folder, 'parts'), [...same, ...more]);
      const half = Math.ceil(demoCalls.length / 2);
      for (const { operation, parameters } of demoCalls.slice(at * half, (at + 1) * half))
        await call(recorder, operation, parameters);
      expect((await recorder.stop()).code).toBe(0);
    }
    expect([...filesIn(join(folder, 'parts'))]).toEqual([...whole]);
  });

  it.each([
    ['without a secret', [], '--append needs the --secret of the recording'],
    [
      'with another secret',
      ['--secret', 'another secret of 16'],
      'The recording was made with another secret',
    ],
  ])('refuses --append %s', async (_, secret, message) => {
    const upstream = await serve();
    const folder = join(temporaryFolder(), 'seed');
    const recorder = await recordHere(upstream.url, folder, ['--secret', 'sixteen letters and more']);
    await call(recorder, 'get-all-instructors', {});
    await recorder.stop();
    const again = ['--upstream', upstream.url, '--out', folder, '--append', ...secret];
    await expect(invoke(record, again).code).rejects.toThrow(message);
  });

  it('lets no second recording into its folder, and a new one after it was killed', async () => {
    const upstream = await serve();
    const folder = join(temporaryFolder(), 'seed');
    const secret = ['--secret', 'sixteen letters and more'];
    const again = ['--upstream', upstream.url, '--out', folder, '--append', ...secret];
    const killed = await startRecording(upstream.url, folder, temporaryFolder(), secret);
    await call(killed, 'get-all-instructors', {});
    await eventually(() => expect(readdirSync(folder)).toContain('checkpoint.json'));
    await expect(invoke(record, again).code).rejects.toThrow(
      `${folder} is in use by another recording (process ${killed.process.pid}). Stop that recording, or use another --out.`,
    );
    killed.process.kill('SIGKILL');
    await eventually(() => expect(killed.process.signalCode).toBe('SIGKILL'));
    const next = await recordHere(upstream.url, folder, ['--append', ...secret]);
    await expect(invoke(record, again).code).rejects.toThrow(SandboxError);
    await call(next, 'get-all-instructors', {});
    expect((await next.stop()).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('leaves a folder alone that came to hold something meanwhile, and writes beside it', async () => {
    const upstream = await serve();
    const folder = join(temporaryFolder(), 'seed');
    const recorder = await recordHere(upstream.url, folder);
    mkdirSync(folder);
    writeFileSync(join(folder, 'labs.json'), 'mine');
    await call(recorder, 'get-all-instructors', {});
    const { code, out } = await recorder.stop();
    expect([code, out]).toEqual([0, expect.stringContaining(`Wrote ${folder}-2.`)]);
    expect([readdirSync(dirname(folder)), readdirSync(folder)]).toEqual([['seed', 'seed-2'], ['labs.json']]);
    expect((await readSeed(`${folder}-2`)).collections.instructors.byId.size).toBeGreaterThan(5);
  });

  it('writes the same bytes under the same secret, and others under another', async () => {
    const upstream = await serve({ limits: null });
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'one'));
    const secret = 'sixteen letters and more';
    // Relative times depend on the moment of the recording.
    const same = ['--secret', secret, '--times', 'absolute'];
    const one = await recordDemo(upstream.url, join(folder, 'one'), same);
    const two = await recordDemo(upstream.url, join(folder, 'deep/two'), same);
    const three = await recordDemo(upstream.url, join(folder, 'three'), ['--times', 'absolute']);
    expect([...one.keys()].length).toBeGreaterThan(12);
    expect([...two]).toEqual([...one]);
    // What is made up without regard to any value.
    const own = new Set(['schools.json', 'record-report.json', 'permissionPresets.json']);
    expect(
      [...three].filter(([file, text]) => !own.has(file) && one.get(file) === text).map(([file]) => file),
    ).toEqual([]);
    expect((await readSeed(join(folder, 'one'))).collections.submissions.byId.size).toBe(1);
  });
});
