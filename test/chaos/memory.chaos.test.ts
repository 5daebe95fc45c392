import { it } from 'vitest';
import { Connection, requestText } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

const sandboxes = 200;
const callsEach = 30;
/** What a journal stores of a body at most. In characters. */
const bodyBytes = 65_000;
const lanes = 8;

it('200 sandboxes with 256 MiB of heap', async (context) => {
  await phase(context, { nodeFlags: ['--max-old-space-size=256'], maxMemoryMiB: 768 }, async (target) => {
    let next = 0;
    const drive = async (): Promise<void> => {
      const connection = new Connection(target.port);
      while (next < sandboxes * callsEach && target.crash() === null && connection.isOpen) {
        const number = next;
        next += 1;
        await use(target, connection, number);
      }
      connection.destroy();
    };
    await Promise.all(Array.from({ length: lanes }, drive));
    if (next < sandboxes * callsEach)
      target.wrong(`Only ${next} of ${sandboxes * callsEach} calls were made.`);
  });
});

/** A large call in one sandbox after the other; every tenth also changes and saves something. */
async function use(target: Target, connection: Connection, number: number): Promise<void> {
  const id = `many-${number % sandboxes}`;
  const body = JSON.stringify({ data: [{ data: { quizId: `${number}`.padEnd(bodyBytes, 'x') } }] });
  const headers = { 'SERVICE-API-KEY': `sbx_${id}_riverside`, 'Content-Type': 'application/json' };
  await expectStatus(target, connection, 200, {
    method: 'POST',
    path: '/public/get-quiz-details',
    headers,
    body,
  });
  if (number % 10 !== 0) return;
  const instructor = JSON.stringify({
    data: [{ data: { instructorEmail: `teacher${number}@many.example`, instructorName: 'T'.repeat(5000) } }],
  });
  await expectStatus(target, connection, 200, {
    method: 'POST',
    path: '/public/create-instructor-account',
    headers,
    body: instructor,
  });
  await expectStatus(target, connection, 200, {
    method: 'PUT',
    path: `/control/sandboxes/${id}/snapshots/s${number % 5}`,
    headers: {},
    body: '',
  });
  await expectStatus(target, connection, 200, {
    method: 'GET',
    path: `/control/sandboxes/${id}/journal?limit=5`,
    headers: {},
    body: '',
  });
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function expectStatus(
  target: Target,
  connection: Connection,
  wanted: number,
  { method, path, headers, body }: Asked,
): Promise<void> {
  target.sent();
  connection.send(requestText(method, path, headers, body));
  const arrival = await connection.next(method, 30_000);
  if (arrival === null || 'ended' in arrival)
    target.wrong(`${method} ${path}: ${arrival === null ? 'no response within 30 s' : arrival.ended}.`);
  else if (arrival.status !== wanted)
    target.wrong(
      `${method} ${path}: ${arrival.status} ${arrival.body.toString('utf8', 0, 200)}`,
      arrival.status,
    );
}
