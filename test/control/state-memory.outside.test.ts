import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { ViewMemory } from '../../src/sandbox/view-memory.ts';
import type { SandboxHandle, StartOptions } from '../../src/index.ts';
import { completed, coupon, learner, schools } from '../support/demo.ts';
import { serve } from '../support/serve.ts';

/** A server with little room for changed records, and the ways to use it. */
async function roomFor(options: StartOptions) {
  const { url, createSandbox } = await serve(options);
  const sandbox = await createSandbox();
  const creates = (
    count: number,
    { of = sandbox, school = 'riverside' }: { of?: SandboxHandle; school?: string } = {},
  ) =>
    supertest(url)
      .post('/public/create-instructor-account')
      .set('SERVICE-API-KEY', of.apiKey(school))
      .send({
        data: Array.from({ length: count }, (_, number) => ({
          data: { instructorEmail: `new${number}@school.example` },
        })),
      });
  const describeWith = (length: number, of = sandbox) =>
    supertest(url)
      .patch(`/control/sandboxes/${of.id}/state/coupons/${coupon.id}`)
      .send({ description: 'x'.repeat(length) });
  return { url, sandbox, createSandbox, creates, describeWith };
}

/** Answers to questions that no other round has. */
function answers(round: number) {
  return Array.from({ length: 200 }, (_, number) => ({
    questionUniqueId: `q-${round}-${number}`,
    newSelectedOptionIds: [],
  }));
}

function often(id: string): readonly string[] {
  return Array.from({ length: 2000 }, () => id);
}

function rule(length: number) {
  return { fault: 'element-error', match: { parameters: { quizId: 'x'.repeat(length) } } } as const;
}

describe('the memory for the changed records of one sandbox', () => {
  it('is limited: a call that needs more is refused, and nothing of it takes effect', async () => {
    const { sandbox, creates } = await roomFor({ max: { stateBytes: 40_000 } });
    const before = await sandbox.state.export();
    const { status, type, headers, body } = await creates(100);
    expect({ status, type, limit: headers['sandbox-limit'] }).toEqual({
      status: 413,
      type: 'application/problem+json',
      limit: 'stateBytes; max=40000',
    });
    expect(body).toMatchObject({ type: 'urn:learning-platform-sandbox:server-limit' });
    expect(body).toHaveProperty(
      'detail',
      'The changed records of one sandbox, including its snapshots and fault rules, can take up at most 40000 bytes of memory. Nothing of the request took effect. Use a smaller seed, reset the sandbox, or remove records or snapshots. This is a quota of this server, not a limit of the platform. The operator of the server can change it: --max stateBytes=N for all sandboxes, PUT /control/sandboxes/<id>/quotas for one.',
    );
    expect(await sandbox.state.export()).toEqual(before);
    // What was refused takes up nothing.
    for (let round = 0; round < 20; round += 1) await creates(3).expect(200);
  });

  it('is limited for the control plane, too', async () => {
    const { sandbox, describeWith } = await roomFor({ max: { stateBytes: 40_000 } });
    await describeWith(10_000).expect(200);
    const { status, body } = await describeWith(30_000);
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('at most 40000 bytes') }),
    ]);
    expect(await sandbox.state.get('coupons', coupon.id)).toHaveProperty('description', 'x'.repeat(10_000));
    // A smaller record makes room.
    await describeWith(10).expect(200);
    await describeWith(15_000).expect(200);
  });

  it('is shared with the snapshots, and free when they or the changes are gone', async () => {
    const { sandbox, describeWith } = await roomFor({ max: { stateBytes: 60_000 } });
    await describeWith(12_000).expect(200);
    await sandbox.snapshots.take('one');
    await expect(sandbox.snapshots.take('two')).rejects.toThrow('at most 60000 bytes');
    await sandbox.snapshots.remove('one');
    await sandbox.snapshots.take('two');
    // In the place of the other.
    await expect(sandbox.snapshots.take('two')).rejects.toThrow('at most 60000 bytes');
    await sandbox.reset();
    for (let round = 0; round < 5; round += 1) {
      await sandbox.snapshots.restore('two');
      await sandbox.reset();
    }
    await describeWith(12_000).expect(200);
  });

  it('is needed by an import that is refused no longer than that', async () => {
    const { sandbox, describeWith } = await roomFor({ max: { stateBytes: 60_000 } });
    await describeWith(12_000).expect(200);
    const document = await sandbox.state.export();
    await describeWith(10).expect(200);
    const wrong = { ...document, collections: { ...document.collections, quizzes: [{ id: 'wrong' }] } };
    for (let round = 0; round < 5; round += 1)
      await expect(sandbox.state.import(wrong)).rejects.toThrow('is invalid');
    for (let round = 0; round < 5; round += 1) {
      await sandbox.reset();
      await sandbox.state.import(document);
    }
  });
});

describe('a record', () => {
  it('may grow up to a limit, however many calls it takes', async () => {
    const { url, sandbox } = await roomFor({ max: { recordBytes: 20_000 } });
    const submit = (round: number) =>
      supertest(url)
        .post('/public/submit-user-course-item')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .send({
          data: [
            {
              data: {
                courseItemId: completed.itemId,
                userId: learner.id,
                details: { questionsToUpsert: answers(round) },
              },
            },
          ],
        });
    await sandbox.assumptions.choose({ answersOutsideQuiz: 'store' });
    await submit(0).expect(200);
    await submit(1).expect(200);
    const before = await sandbox.state.export();
    const { status, headers, body } = await submit(2);
    expect([status, headers['sandbox-limit']]).toEqual([413, 'recordBytes; max=20000']);
    expect(body).toHaveProperty(
      'detail',
      expect.stringMatching(
        /^One record can have at most 20000 characters in JSON\. Nothing of the request took effect\./,
      ),
    );
    expect(await sandbox.state.export()).toEqual(before);
  });

  it('stands in the list of a school once, however often it names the school', async () => {
    const { sandbox, url } = await roomFor({});
    const [found] = await sandbox.state.list('instructors');
    if (found === undefined) throw new Error('The demo school has instructors.');
    await sandbox.state.put('instructors', { ...found, schoolIds: often(schools.hillcrest) });
    await sandbox.state.put('instructors', {
      ...found,
      schoolIds: [...often(schools.riverside), ...often(schools.hillcrest)],
    });
    const { body } = await supertest(url)
      .post('/public/get-all-instructors')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ data: {} }] });
    expect(JSON.stringify(body).split(found.id)).toHaveLength(2);
  });
});

describe('a fault rule', () => {
  it('has a limit of its own in size, and counts in the memory of its sandbox', async () => {
    const { sandbox } = await roomFor({ max: { faultRuleBytes: 2000, stateBytes: 20_000 } });
    await expect(sandbox.faults.add(rule(2100))).rejects.toThrow('faultRuleBytes');
    for (let round = 0; round < 5; round += 1) {
      for (let number = 0; number < 3; number += 1) await sandbox.faults.add(rule(1900));
      await sandbox.faults.clear();
    }
    for (let number = 0; number < 3; number += 1) await sandbox.faults.add(rule(1900));
    await expect(sandbox.snapshots.take('with-rules')).rejects.toThrow('at most 20000 bytes');
    await expect(
      Promise.all([rule(1900), rule(1900), rule(1900)].map((one) => sandbox.faults.add(one))),
    ).rejects.toThrow('fault rules');
  });
});

describe('the memory for the changed records of all sandboxes', () => {
  it('is limited; deleting a sandbox makes room', async () => {
    const { createSandbox, creates, describeWith, sandbox } = await roomFor({ stateMemory: '1MiB' });
    const other = await createSandbox();
    await describeWith(300_000, other).expect(200);
    await describeWith(300_000).expect(503);
    const { status, headers, body } = await creates(3000);
    expect([status, headers['retry-after']]).toEqual([503, '60']);
    expect(body).toHaveProperty('detail', expect.stringContaining('--state-memory SIZE changes it.'));
    await other.remove();
    await describeWith(300_000, sandbox).expect(200);
  });

  it('leaves every sandbox a small share that no other can take', async () => {
    const { createSandbox, creates, describeWith, sandbox } = await roomFor({
      stateMemory: '1MiB',
      maxSandboxes: 10,
    });
    const [other, third] = [await createSandbox(), await createSandbox()];
    // Fills the memory as far as the server allows.
    for (const length of [400_000, 40_000, 4000, 100])
      for (let isFull = false, round = 0; !isFull; round += 1) {
        await describeWith(length, other);
        isFull = await other.snapshots.take(`${length}-${round}`).then(
          () => false,
          () => true,
        );
      }
    await describeWith(40_000, third).expect(503);
    await creates(1).expect(200);
    await describeWith(2000).expect(200);
    // The share is not for more than that.
    for (let used = 0; used < 4; used += 1) await creates(20);
    await creates(20).expect(503);
    await sandbox.reset();
    await creates(1).expect(200);
  });
});

describe('a generated seed', () => {
  it('counts in the memory of the sandboxes that start from it, until they are gone', async () => {
    const { url } = await roomFor({ stateMemory: '1MiB' });
    const create = (id: string) =>
      supertest(url).post('/control/sandboxes').send({ id, seed: 'generated:videos=150' });
    await create('one').expect(201);
    const { status, body } = await create('two');
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('--state-memory') }),
    ]);
    // So large that it is refused before it is made.
    const { status: large } = await supertest(url)
      .post('/control/sandboxes')
      .send({ id: 'two', seed: 'generated:videos=15000' });
    expect(large).toBe(503);
    expect((await supertest(url).get('/control/sandboxes/two')).status).toBe(404);
    await supertest(url).delete('/control/sandboxes/one').expect(204);
    await create('two').expect(201);
  });

  it('has its room from the beginning, so that another is refused before it is made, and not for longer', async () => {
    const { url } = await roomFor({ stateMemory: '4MiB' });
    const statuses: number[] = [];
    const create = async (id: string, more = {}): Promise<void> => {
      const seed = `generated:videos=2000,random-seed=${id.length}`;
      const { status } = await supertest(url)
        .post('/control/sandboxes')
        .send({ id, seed, ...more });
      statuses.push(status);
    };
    await create('wrong', { scenario: 'nowhere' });
    await Promise.all([create('one'), create('second')]);
    for (const id of ['one', 'second']) await supertest(url).delete(`/control/sandboxes/${id}`);
    await create('another');
    expect(statuses).toEqual([400, 503, 201, 201]);
  });
});

describe('the memory for views', () => {
  it('is limited: what grew longest ago is forgotten first', () => {
    const memory = new ViewMemory(100);
    const forgotten: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ forget: () => void forgotten.push(name) }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('Three were made.');
    memory.grow(a, 40);
    memory.grow(b, 40);
    memory.grow(a, 10);
    memory.grow(c, 20);
    expect([forgotten, memory.used]).toEqual([['b'], 70]);
    memory.remove(a);
    memory.grow(c, 200);
    expect([forgotten, memory.used]).toEqual([['b', 'c'], 0]);
  });
});
