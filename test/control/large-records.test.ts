import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import type { StartOptions } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { labId, schools } from '../support/demo.ts';
import { serve } from '../support/serve.ts';

/** A server with small limits of records, and calls that change a lab of its default sandbox. */
async function limited(max: StartOptions['max'], more: StartOptions = {}) {
  const server = await serve({ ...(max === undefined ? {} : { max }), ...more });
  const sandbox = server.default;
  const update = (...changes: readonly object[]): supertest.Test =>
    supertest(server.url)
      .post('/public/update-interactive-coding-lab')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: changes.map((data) => ({ data: { labId, ...data } })) });
  return { server, sandbox, update };
}

describe('a record that a call changes', () => {
  it.each([
    ['x', 4300, 'recordBytes; max=5000'],
    ['\u0001', 600, 'recordBytes; max=5000'],
    ['\ud800', 600, 'recordBytes; max=5000'],
  ])(
    'has no more characters in JSON than the control plane accepts: %j',
    { tags: ['slow'] },
    async (character, fits, limit) => {
      const { sandbox, update } = await limited({ recordBytes: 5000 });
      const describeWith = (length: number) =>
        update({ labDescriptionAsMarkdown: character.repeat(length), evaluationScriptTestFileContent: '' });
      await describeWith(fits).expect(200);
      await sandbox.state.patch('labs', labId, { labTitle: 'Patched' });
      const before = await sandbox.state.export();
      await sandbox.state.import(before);
      const { status, headers, body } = await describeWith(5000);
      expect([status, headers['sandbox-limit']]).toEqual([413, limit]);
      expect(body).toHaveProperty(
        'detail',
        'One record can have at most 5000 characters in JSON. Nothing of the request took effect. Send less. This is a limit of this server, not of the platform; --max recordBytes=N changes it.',
      );
      expect(await sandbox.state.export()).toEqual(before);
    },
  );

  it('has no more values than the control plane accepts', async () => {
    const { sandbox, update } = await limited({ recordValues: 100 });
    const testWith = (count: number) =>
      update({ testCases: Array.from({ length: count }, () => ({ a: 1 })) });
    await testWith(35).expect(200);
    await sandbox.state.patch('labs', labId, { labTitle: 'Patched' });
    const { status, headers, body } = await testWith(60);
    expect([status, headers['sandbox-limit']]).toEqual([413, 'recordValues; max=100']);
    expect(body).toHaveProperty(
      'detail',
      expect.stringMatching(/^One record can have at most 100 JSON values\./),
    );
  });

  it('may be larger while a batch runs', async () => {
    const { sandbox, update } = await limited({ recordBytes: 5000 });
    await update(
      { labDescriptionAsMarkdown: 'x'.repeat(6000), evaluationScriptTestFileContent: '' },
      { labDescriptionAsMarkdown: 'short' },
    ).expect(200);
    expect(await sandbox.state.get('labs', labId)).toHaveProperty('labDescriptionAsMarkdown', 'short');
  });
});

describe('an export', () => {
  it(
    'can be imported although records of the seed are larger than the limit',
    { tags: ['slow'] },
    async () => {
      const { sandbox, update } = await limited({ recordBytes: 1024, recordValues: 100 });
      await sandbox.state.patch('schools', schools.riverside, { name: 'Patched' });
      const before = await sandbox.state.export();
      await sandbox.state.import(before);
      expect(await sandbox.state.export()).toEqual(before);
      // A record that is as large, and another one, is none of its records.
      const lab = await sandbox.state.get('labs', labId);
      expect(JSON.stringify(lab).length).toBeGreaterThan(1500);
      const labs = (before.collections['labs'] ?? []).map((one) =>
        'id' in one && one['id'] === labId ? { ...one, labTitle: 'Other' } : one,
      );
      await expect(
        sandbox.state.import({ ...before, collections: { ...before.collections, labs } }),
      ).rejects.toThrow('invalid');
      await update({ labTitle: 'Other' }).expect(413);
    },
  );

  it(
    'can be imported although a server with a higher limit stored its records',
    { tags: ['slow'] },
    async () => {
      const data = temporaryFolder();
      const first = await limited({ recordBytes: 1_000_000 }, { data });
      await first.update({ labDescriptionAsMarkdown: 'x'.repeat(500_000) }).expect(200);
      await first.server.close();
      const { sandbox } = await limited({ recordBytes: 5000 }, { data });
      const before = await sandbox.state.export();
      expect(JSON.stringify(before)).toContain('x'.repeat(500_000));
      await sandbox.state.import(before);
      expect(await sandbox.state.export()).toEqual(before);
    },
  );
});

describe('an object in a request to the control plane', () => {
  it('has no more fields than one in a call', async () => {
    const { server, sandbox } = await limited({ objectFields: 100 });
    const put = (count: number): supertest.Test => {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, number) => [`field-${number}`, 1]));
      return supertest(server.url)
        .patch(`/control/sandboxes/${sandbox.id}/state/labs/${labId}`)
        .send({ testCases: [fields] });
    };
    await put(100).expect(200);
    const before = await sandbox.state.export();
    const { body } = await put(101).expect(400);
    expect(body).toHaveProperty(
      'detail',
      'The body is invalid. It has an object of more than 100 fields, the limit of this server; --max objectFields=N changes it.',
    );
    expect(await sandbox.state.export()).toEqual(before);
  });
});
