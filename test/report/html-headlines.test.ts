import { expect, it } from 'vitest';
import { world } from '../support/world.ts';
import { toHtml } from '../../src/report/render/html.ts';

it('says a violation once as a headline, with its id in small print', async () => {
  const { sandbox, call } = await world();
  await call('get-quiz-details', { quizId: 7 });
  const page = toHtml(await sandbox.report(), { failOn: ['violations'], minCoverage: { all: 99 } });
  const headlines = page.match(/<p class="verdict.*/g) ?? [];
  expect(headlines).toHaveLength(2);
  expect(headlines.join('\n')).toContain('99 % are required');
  expect(headlines.join('\n')).not.toContain('violations:get-quiz-details');
  expect(page).toContain('for <code>--allow</code>: <code class="command">violations:get-quiz-details:');
});
