import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { run, temporaryFolder } from '../support/command.ts';

it('the built lp-sandbox compares a service, and replays the calls that it sent', async () => {
  const server = await startSandbox({ port: 0, assume: { emptyBatch: 'refuse' } });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  const report = join(folder, 'compare.html');
  const compared = await run(
    ['compare', '--upstream', server.url, '--pace', '0', '--no-probes', '--report', report],
    { env: { UPSTREAM_API_KEY: 'sbx_default_riverside' }, cwd: folder },
  );
  expect(compared.code).toBe(3);
  expect(compared.out).toMatch(/^✗ {2}status .* emptyBatch=refuse \(now empty-array\) .* empty-batch$/m);
  expect(readFileSync(report, 'utf8')).toContain('--assume emptyBatch=refuse');
  const har = join(folder, 'journal.har');
  writeFileSync(har, JSON.stringify(await server.default.journal.har()));
  const replayed = await run(['replay', har, '--assume', 'emptyBatch=refuse'], { cwd: folder });
  expect([replayed.code, replayed.out]).toEqual([
    0,
    expect.stringMatching(/^\d+ calls compared: 0 differences\.\n$/),
  ]);
});
