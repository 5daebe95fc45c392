import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { send, upstreamThat } from '../proxy/upstream.ts';
import { temporaryFolder } from '../support/command.ts';
import { quiz } from '../support/demo.ts';
import { recordHere } from './recorder.ts';

const json = { 'Content-Type': 'application/json' };
const secret = 'a secret of the tests';

function quizWith(more: object, questions: readonly object[] = []): string {
  const data = { createdAtIso: '2025-09-29T16:05:51.238Z', quizTitle: 'Geheim', questions, ...more };
  return JSON.stringify([{ output: { status: 'ok', data } }]);
}

/** Replies in turn: of eight calls, two fail, one is cut off, and one has a further field with a name of a person. */
const replies: readonly (readonly [
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
])[] = [
  [200, quizWith({})],
  [503, 'Grace Hopper is fixing it', { 'Retry-After': '7' }],
  [200, quizWith({ 'Grace Hopper': 1 })],
  [429, '{"for":"Grace Hopper"}', { 'Retry-After': '30' }],
  [404, '{"message":"no quiz of Grace Hopper"}'],
  [0, ''],
  [200, quizWith({})],
  [200, quizWith({})],
];

async function recorded(calls: number, out: string, more: readonly string[] = []) {
  let at = 0;
  const upstream = await upstreamThat((response) => {
    const [status, body, headers = {}] = replies[at++ % replies.length] ?? [500, ''];
    if (status === 0) response.destroy();
    else response.writeHead(status, { ...json, ...headers }).end(body);
  });
  const recorder = await recordHere(upstream.url, out, more);
  for (let made = 0; made < calls; made += 1)
    await send(recorder.url, { body: JSON.stringify({ data: [{ data: { quizId: 'a-quiz' } }] }) });
  return recorder.stop();
}

interface Rule {
  readonly fault: string;
  readonly with?: object;
  readonly when: { readonly probability: number };
}

function rulesIn(folder: string): readonly Rule[] {
  // Cast: the command wrote it.
  return (JSON.parse(readFileSync(join(folder, 'record-scenario.json'), 'utf8')) as { rules: Rule[] }).rules;
}

describe('the scenario of a recording', () => {
  it('has the failures and unusual values of the service as often as they occurred, without its texts', async () => {
    const folder = join(temporaryFolder(), 'seed');
    const { code, out } = await recorded(8, folder);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `add --scenario ${join(folder, 'record-scenario.json')} --latency-from ${join(folder, 'record-latencies.json')}\n`,
      ),
    ]);
    const rules = rulesIn(folder);
    expect(rules.map(({ fault, with: parameters, when }) => [fault, parameters, when.probability])).toEqual([
      ['http-error', { status: 503, 'retry-after': 7 }, 1 / 8],
      ['http-error', { status: 429, 'retry-after': 30 }, 0.1429],
      ['reset', undefined, 0.1667],
      ['extra-fields', undefined, 0.2],
    ]);
    expect(readFileSync(join(folder, 'record-scenario.json'), 'utf8')).not.toMatch(/Grace|Hopper|Geheim/);
  });

  it('makes a sandbox fail like the service, which also accepts the latencies', async () => {
    const folder = join(temporaryFolder(), 'seed');
    await recorded(8, folder);
    const server = await startSandbox({
      port: 0,
      seed: folder,
      scenario: join(folder, 'record-scenario.json'),
      latencyFrom: join(folder, 'record-latencies.json'),
      limits: 'off',
    });
    onTestFinished(() => server.close());
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    const key = server.default.apiKey('school-1');
    for (let made = 0; made < 80; made += 1) {
      const reply = await fetch(`${server.url}/public/get-quiz-details`, {
        method: 'POST',
        headers: { ...json, 'SERVICE-API-KEY': key },
        body: JSON.stringify({ data: [{ data: { quizId: quiz.id } }] }),
      }).catch(() => null);
      if (reply === null) count('none');
      else
        count(
          `${reply.status} ${reply.headers.get('retry-after')} ${reply.headers.get('sandbox-fault') !== null}`,
        );
    }
    expect([...seen.keys()].toSorted()).toEqual([
      '200 null false',
      '200 null true',
      '429 30 true',
      '503 7 true',
      'none',
    ]);
  });

  it('counts on with --append, and is not written if nothing happened', async () => {
    const folder = join(temporaryFolder(), 'seed');
    await recorded(1, folder, ['--secret', secret]);
    expect(existsSync(join(folder, 'record-scenario.json'))).toBe(false);
    await recorded(2, folder, ['--secret', secret, '--append']);
    await recorded(1, folder, ['--secret', secret, '--append']);
    expect(rulesIn(folder)).toMatchObject([{ fault: 'http-error', when: { probability: 0.25 } }]);
  });
});
