import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../support/command.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { quiz } from '../support/demo.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

async function send({ url }: Program, operation: string, parameters: object): Promise<string> {
  try {
    const response = await fetch(`${url}/public/${operation}`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': 'sbx_one_riverside', 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: [{ data: parameters }] }),
    });
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    return `no response: ${String(error)}`;
  }
}

describe('an owner that does not answer any more', () => {
  it('is replaced within 6 seconds, and what it does later has no effect', { timeout: 120_000 }, async () => {
    const data = await postgres.database();
    const [owner, other] = [await startReplica(data), await startReplica(data)];
    await supertest(owner.url).post('/control/sandboxes').send({ id: 'one' }).expect(201);
    expect(await send(other, 'get-quiz-details', { quizId: quiz.id })).toMatch(/^200 /);

    process.kill(owner.pid, 'SIGSTOP');
    const began = Date.now();
    const late = send(owner, 'create-instructor-account', {
      instructorEmail: 'late@crash.example',
      instructorName: 'L',
    });
    const tries: string[] = [];
    while (!tries.at(-1)?.startsWith('200') && Date.now() - began < 20_000)
      tries.push(await send(other, 'get-quiz-details', { quizId: quiz.id }));
    const took = Date.now() - began;
    process.stdout.write(`took ${took} ms: ${tries.map((one) => one.slice(0, 60)).join(' | ')}\n`);
    expect(
      await send(other, 'create-instructor-account', {
        instructorEmail: 'new@crash.example',
        instructorName: 'N',
      }),
    ).toMatch(/^200 .*"ok"/);

    process.kill(owner.pid, 'SIGCONT');
    const later = await late;
    process.stdout.write(`late: ${later.slice(0, 200)}\n`);
    for (const at of [owner, other, owner, other]) {
      const listed = await send(at, 'get-all-instructors', {});
      process.stdout.write(`${listed.slice(0, 80)}\n`);
      if (listed.startsWith('200')) {
        expect(listed).toContain('new@crash.example');
        expect(listed.includes('late@crash.example')).toBe(later.startsWith('200'));
      }
    }
    expect(await send(owner, 'get-all-instructors', {})).toMatch(/^200 .*new@crash/);
  });
});
