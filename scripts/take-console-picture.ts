/**
 * Writes `docs/console.png`, the picture of the README: `npx tsx scripts/take-console-picture.ts [CHROMIUM]`,
 * after a change of the console and a build. `ffmpeg` reduces it to 128 colors.
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { startSandbox } from '../src/index.ts';

const [, , executablePath = 'chromium'] = process.argv;

/** The calls in the journal. The picture shows the last one, which is invalid; the first one fails by a rule. */
const calls: readonly (readonly [operation: string, parameters: object])[] = [
  [
    'list-assignments',
    { courseIdentifier: { type: 'product-id', digitalProductId: 'f68b14464867fc055551e6ac' } },
  ],
  ['get-all-live-events', {}],
  ['get-all-instructors', {}],
  ['get-video-library', { filterTerm: '', pageNumber: 1 }],
  ['get-quiz-details', { quizId: '89a674da2cdf9bc9916fe3ae' }],
  ['get-quiz-details', { quizID: '89a674da2cdf9bc9916fe3ae' }],
];

await using server = await startSandbox({ port: 0 });
await server.default.faults.add({ fault: 'http-error', with: { status: 503 }, when: { times: 1 } });
await server.default.clock.advance({ seconds: 7 * 86_400 });
for (const [operation, parameters] of calls) {
  const response = await fetch(`${server.url}/public/${operation}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: [{ data: parameters }] }),
  });
  await response.arrayBuffer();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1440, height: 760 }, colorScheme: 'light' });
await page.goto(`${server.url}/console/default/journal`);
await page
  .getByRole('link', { name: /get-quiz-details/ })
  .first()
  .click();
await page.getByText('quizID').first().waitFor();
const picture = await page.screenshot();
await browser.close();
const reduce = '[0]split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none';
const args = [
  '-loglevel',
  'error',
  '-y',
  '-f',
  'png_pipe',
  '-i',
  '-',
  '-filter_complex',
  reduce,
  'docs/console.png',
];
execFileSync('ffmpeg', args, { input: picture });
