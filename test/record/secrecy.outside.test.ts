import { readFileSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { temporaryFolder } from '../support/command.ts';
import { demoCalls } from './demo-calls.ts';
import { upstreamThat, type Got } from '../proxy/upstream.ts';
import { serve } from '../support/serve.ts';
import { startRecording } from './recorder.ts';

/** Stands in front of every text of the service. Nothing that is made up looks like it. */
const canary = 'Zq9canary';

/**
 * The value with the canary in front of every text, in names of fields too; times stay times, and `ok` and
 * `error` what they are.
 */
function marked(value: unknown): unknown {
  if (typeof value === 'string')
    return /^(ok|error|\d{4}-\d\d-\d\dT.*)$/.test(value) ? value : `${canary}${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(marked);
  const fields = Object.entries(value).map(([name, part]) => [name, marked(part)] as const);
  return Object.fromEntries([...fields, [`${canary}Field`, canary], ['internalNote', { deep: [canary] }]]);
}

/** The demo's sandbox, all of whose texts have the canary in front. */
async function markedService(): Promise<string> {
  const sandbox = await serve({ limits: null });
  const { url } = await upstreamThat((response, got) => void answer(response, got, sandbox.url));
  return url;
}

async function answer(response: ServerResponse, { url, headers, body }: Got, sandbox: string): Promise<void> {
  const key = String(headers['service-api-key']).replace(canary, '');
  const sent = body.toString().replaceAll(canary, '');
  const own = { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' };
  const answered = await fetch(`${sandbox}${url}`, { method: 'POST', headers: own, body: sent });
  const text = await answered.text();
  const isJson = answered.headers.get('content-type')?.includes('json') === true;
  response.writeHead(answered.status, {
    'Content-Type': isJson ? 'application/json' : 'text/html',
    'X-Note': canary,
  });
  response.end(isJson ? JSON.stringify(marked(JSON.parse(text))) : `<p>${canary}</p>`);
}

function everythingIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(
    ({ parentPath, name }) => `${parentPath}/${name}\n${readFileSync(join(parentPath, name), 'utf8')}`,
  );
}

describe('a recording', () => {
  it('writes and says nothing of what the service and the client said', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    const recorder = await startRecording(await markedService(), 'seed', folder);
    const statuses = new Map<string, number>();
    const post = async (operation: string, parameters: unknown, school = 'riverside'): Promise<void> => {
      const body = JSON.stringify({ data: [{ data: marked(parameters) }] });
      const headers = {
        'SERVICE-API-KEY': `sbx_default_${canary}${school}`,
        'Content-Type': 'application/json',
        Cookie: canary,
      };
      const response = await fetch(`${recorder.url}/public/${operation}?about=${canary}`, {
        method: 'POST',
        headers,
        body,
      });
      const text = await response.text();
      if (text.includes('"ok"')) statuses.set(operation, response.status);
    };
    for (const { operation, parameters } of demoCalls) await post(operation, parameters);
    await post('get-all-instructors', {}, 'hillcrest');
    await post('get-all-instructors', {}, 'nowhere');
    await post(`no-such-operation/${canary}`, {});
    await post('get-quiz-details', { quizId: 'unknown' });
    await fetch(`${recorder.url}/public/get-quiz-details`, { method: 'POST', body: `{"data": ${canary}` });
    const { code, out, err } = await recorder.stop();
    const texts = everythingIn(folder);
    expect([code, err]).toEqual([0, '']);
    expect(
      operationNames.filter((name) => !statuses.has(name)),
      'operations without a call in demo-calls.ts',
    ).toEqual([]);
    expect(texts.length).toBeGreaterThan(12);
    expect([...texts, out].filter((text) => /canary/i.test(text)).map((text) => text.slice(0, 2000))).toEqual(
      [],
    );
    // Texts that were marked in the middle would be found as well.
    expect(
      [...texts, out].filter((text) =>
        /okafor|riverside|python|microscop|sbx_/i.test(text.replaceAll(/"\/assets\/[^"]*"/g, '')),
      ),
    ).toEqual([]);
    expect(out).toContain('internalNote');
  });
});
