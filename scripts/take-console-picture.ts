/**
 * Writes `docs/console.png`, the picture of the README: `npx tsx scripts/take-console-picture.ts [CHROMIUM]`,
 * after a change of the console and a build.
 */
import { chromium } from 'playwright-core';
import { startSandbox } from '../src/index.ts';

const [, , executablePath = 'chromium'] = process.argv;

/** The calls in the journal. The picture shows the last one, which is invalid. */
const calls: readonly (readonly [operation: string, parameters: object])[] = [
  [
    'list-assignments',
    { courseIdentifier: { type: 'product-id', digitalProductId: 'f68b14464867fc055551e6ac' } },
  ],
  ['get-all-live-events', {}],
  ['get-quiz-details', { quizID: '89a674da2cdf9bc9916fe3ae' }],
];

await using server = await startSandbox({ port: 0 });
for (const [operation, parameters] of calls) {
  const response = await fetch(`${server.url}/public/${operation}`, {
    method: 'POST',
    headers: { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: [{ data: parameters }] }),
  });
  await response.arrayBuffer();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 700 }, colorScheme: 'light' });
await page.goto(`${server.url}/console/default/journal`);
await page.locator('main').getByText('get-quiz-details').last().click();
await page.getByText('quizID').first().waitFor();
await page.screenshot({ path: 'docs/console.png' });
await browser.close();
