import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../proxy/upstream.ts';
import { temporaryFolder } from '../support/command.ts';
import { services } from '../upstreams/calm.ts';
import * as lockedDown from '../upstreams/locked-down.ts';
import { recordHere } from './recorder.ts';

describe.each(Object.entries(services))('lp-sandbox record, with the service %s,', (_, service) => {
  it('leaves no planted text and no key in the seed, the report or the output', async () => {
    const upstream = await service.start();
    onTestFinished(() => upstream.close());
    const folder = temporaryFolder();
    const out = join(folder, 'seed');
    const ca = join(folder, 'ca.pem');
    if ('ca' in upstream) writeFileSync(ca, String(upstream.ca));
    const more = 'ca' in upstream ? ['--ca', ca, '--header', `X-Gateway-Key: ${lockedDown.gatewayKey}`] : [];
    const recorder = await recordHere(upstream.url, out, more);
    const keys = service.schools.flatMap(({ apiKeys }) => apiKeys);
    const samples: readonly (readonly [string, object])[] = Object.entries(service.samples);
    const pages = [0, 1, 2, 3].map(
      (pageNumber) => ['get-video-library', { filterTerm: '', pageNumber, folderPath: '' }] as const,
    );
    let came = '';
    for (const key of keys) {
      for (const [operation, parameters] of [...samples, ...pages]) {
        const { text } = await send(recorder.url, {
          path: `/public/${operation}`,
          headers: { 'SERVICE-API-KEY': key },
          body: JSON.stringify({ data: [{ data: parameters }] }),
        });
        came += text;
      }
    }
    const ended = await recorder.stop();
    expect(ended.code).toBe(0);
    const files = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
    const text = [...files, ended.out, ended.err].join('\n');
    const secrets = [...upstream.planted, ...keys];
    // Many are in the responses, so that they could have been left.
    expect(secrets.filter((secret) => came.includes(secret)).length).toBeGreaterThan(60);
    const left = secrets.filter((secret) => text.includes(secret));
    expect(left).toEqual([]);
  }, 60_000);
});
