import supertest from 'supertest';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serve } from '../support/serve.ts';

it('a full server never removes a sandbox that is answering a call, so no acknowledged change is lost', async () => {
  const { url, sandbox } = await serve({ maxSandboxes: 3 });
  const post = (operation: string, key: string, data: object): supertest.Test =>
    supertest(url)
      .post(`/public/${operation}`)
      .set('SERVICE-API-KEY', `sbx_${key}_riverside`)
      .send({ data: [{ data }] });
  const account = { instructorEmail: 'kept@school.example', instructorName: 'Kept' };
  const creating = post('create-instructor-account', 'busy', account)
    .set('Sandbox-Fault', 'delay; ms=600000')
    .then((reply) => reply);
  const busy = await eventually(async () => {
    const found = await sandbox('busy');
    if (found === null) throw new Error('The call has not come yet.');
    return found;
  });
  for (const key of ['one', 'two', 'three', 'four'])
    expect((await post('get-all-live-events', key, {})).status).toBe(200);
  await busy.clock.advance({ seconds: 600 });
  expect((await creating).status).toBe(200);
  const { text } = await post('get-all-instructors', 'busy', {});
  expect(text).toContain('kept@school.example');
});
