import { expect, it } from 'vitest';
import { withKey } from '../../src/console/parts/with-key.ts';
import { toCurl } from '../../src/control/curl.ts';
import { world } from '../support/world.ts';

it('the console copies a command with the key of the school, and with the variable if the key is of no school here', async () => {
  const { sandbox, call, url } = await world();
  await call('get-quiz-details', { quizId: '"SERVICE-API-KEY: $SANDBOX_API_KEY"' });
  await call('get-quiz-details').set('SERVICE-API-KEY', `sbx_${sandbox.id}_nobody`);
  const [own, foreign] = (await sandbox.journal.list()).map((entry) => {
    const command = toCurl(entry, url);
    return { command, copied: withKey(command, sandbox.id, entry.school) };
  });
  expect(own?.copied.split('\n')[1]).toBe(`  -H "SERVICE-API-KEY: ${sandbox.apiKey('riverside')}" \\`);
  expect(own?.copied.split('\n').toSpliced(1, 1)).toEqual(own?.command.split('\n').toSpliced(1, 1));
  expect(foreign?.copied).toBe(foreign?.command);
  expect(foreign?.copied).toContain('"SERVICE-API-KEY: $SANDBOX_API_KEY"');
});
