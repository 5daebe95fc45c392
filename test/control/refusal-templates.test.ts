import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxHandle, type StartOptions } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { errorOf } from '../support/error-of.ts';
import { supertest } from '../support/supertest.ts';
import { sharedServer, world } from '../support/world.ts';

const refusalTemplate = '{"text":"{{message}}"}';
const gatewayTemplate = '{"Message":"{{message}}"}';
const chosen = { refusalBody: 'template' } as const;

/** The body of a refusal by the service. */
async function refusalIn(sandbox: SandboxHandle): Promise<unknown> {
  const { body } = await supertest(sandbox.baseUrl)
    .post('/public/get-quiz-details')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .send({});
  return body as unknown;
}

const filled = { text: expect.stringContaining('/data is required') };

describe('the text of a template', () => {
  it.each([
    ['no JSON', '{"a":', 'With its placeholders filled in, it is not valid JSON.'],
    ['no object', '["{{message}}"]', 'With its placeholders filled in, it is not a JSON object.'],
    ['a text without quotes', '{"a":{{message}}}', 'Put text placeholders inside quotes'],
    ['an unknown placeholder', '{"a":"{{reason}}"}', 'There is no placeholder {{reason}}.'],
    [
      'a placeholder used often',
      `{"a":"${'{{message}}'.repeat(3)}"}`,
      'It uses {{message}} more than 2 times.',
    ],
    [
      'many characters',
      `{"a":"${'a'.repeat(4096)}"}`,
      'It has 4104 characters, but a template can have at most 4096.',
    ],
  ])('is refused with %s, with the reason and its place', async (_, text, reason) => {
    const { url, sandbox } = await world();
    const message = expect.stringContaining(reason);
    for (const setting of ['refusalTemplate', 'gatewayTemplate']) {
      const violations = [{ pointer: `/${setting}`, message }];
      const created = await supertest(url)
        .post('/control/sandboxes')
        .send({ [setting]: text });
      expect([created.status, created.body]).toEqual([400, expect.objectContaining({ violations })]);
      const changed = supertest(url).patch(`/control/sandboxes/${sandbox.id}/assumptions`);
      expect((await changed.send({ [setting]: text })).body).toMatchObject({ status: 400, violations });
      const started = await errorOf(startSandbox({ port: 0, [setting]: text }));
      expect(started.message).toContain(reason);
    }
  });

  it('may contain every character in its values', async () => {
    const { post, sandbox } = await world({ refusalTemplate, assumptions: chosen });
    const reply = await post('get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: 'a "quoted" \\ $& {{code}}\n\u2028é' });
    expect(reply.body).toEqual({ text: expect.stringContaining('$& {{code}}') });
  });

  it('must be there if its option is chosen, wherever that is', async () => {
    const { createSandbox } = await sharedServer();
    const { sandbox } = await world({ refusalTemplate });
    const violations = [
      { pointer: '/refusalTemplate', message: expect.stringContaining('because refusalBody is template') },
    ];
    expect(await errorOf(createSandbox({ assumptions: chosen }))).toMatchObject({ violations });
    await sandbox.assumptions.choose(chosen);
    const removing = sandbox.assumptions.choose({ refusalTemplate: null });
    expect(await errorOf(removing)).toMatchObject({ violations });
    const starting = startSandbox({ port: 0, assume: { gatewayRefusalBody: 'template' } });
    expect((await errorOf(starting)).message).toContain('set --gateway-template (gatewayTemplate in code)');
    expect(await refusalIn(sandbox)).toEqual(filled);
  });
});

describe('the templates of a sandbox', () => {
  it('are set with the options that need them, listed, and removed', async () => {
    const { sandbox, url } = await world();
    await sandbox.assumptions.choose({ ...chosen, refusalTemplate });
    expect(await refusalIn(sandbox)).toEqual(filled);
    const listed = async () =>
      (await supertest(url).get(`/control/sandboxes/${sandbox.id}/assumptions`)).body as object;
    expect(await listed()).toMatchObject({ templates: { refusalTemplate, gatewayTemplate: null } });
    await sandbox.assumptions.choose({ refusalBody: 'empty', refusalTemplate: null });
    expect(await listed()).toMatchObject({ templates: { refusalTemplate: null } });
  });

  it('are those of the server if it has some, also for a sandbox that a key creates', async () => {
    const file = join(temporaryFolder(), 'refusal.json');
    writeFileSync(file, `${refusalTemplate}\n`);
    const { url } = await served({ assume: chosen, refusalTemplate: file, gatewayTemplate });
    const reply = await supertest(url)
      .post('/public/get-quiz-details')
      .set('SERVICE-API-KEY', 'sbx_another_riverside')
      .send({});
    expect(reply.body).toEqual(filled);
  });

  it('belong to a snapshot', async () => {
    const { sandbox } = await world({ refusalTemplate, assumptions: chosen });
    await sandbox.snapshots.take('then');
    await sandbox.assumptions.choose({ refusalTemplate: '{"now":"{{message}}"}' });
    await sandbox.snapshots.restore('then');
    expect(await refusalIn(sandbox)).toEqual(filled);
  });

  it('are the same after a restart, those of a snapshot too', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const before = await served({ data });
    const { snapshots, id } = await before.createSandbox({ refusalTemplate, assumptions: chosen });
    await snapshots.take('then');
    await before.close();
    const after = await served({ data });
    const sandbox = await after.sandbox(id);
    if (sandbox === null) throw new Error('The sandbox was not restored.');
    expect(await refusalIn(sandbox)).toEqual(filled);
    await sandbox.assumptions.choose({ refusalBody: 'empty', refusalTemplate: null });
    await sandbox.snapshots.restore('then');
    expect(await refusalIn(sandbox)).toEqual(filled);
  });
});

async function served(options: StartOptions) {
  const server = await startSandbox({ port: 0, ...options });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}
