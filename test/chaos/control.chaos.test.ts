import { it } from 'vitest';
import { ask, Connection, requestText } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

/** Enough to fill a journal. */
const calls = 260;
/** What a journal stores of a body at most, as values that take up far more memory than text. */
const dense = `{"data":[{"data":{"quizId":"x","more":[${'{},'.repeat(20_900)}{}]}}]}`;
const key = { 'SERVICE-API-KEY': 'sbx_dense_riverside', 'Content-Type': 'application/json' };
const sandbox = '/control/sandboxes/dense';

it('dense bodies, unread replies of the control plane, 256 MiB of heap', async (context) => {
  await phase(context, { nodeFlags: ['--max-old-space-size=256'], maxMemoryMiB: 768 }, async (target) => {
    await call(target, calls);
    const counts = Array.from({ length: 20 }, (_, number) => ({ body: { number } }));
    await each(target, 4, [200], 'POST', `${sandbox}/journal/verify`, JSON.stringify({ counts }));
    await each(target, 4, [200], 'GET', `${sandbox}/report`);
    const unread = Array.from({ length: 12 }, () => new Connection(target.port));
    for (const connection of unread) {
      connection.socket.pause();
      connection.send(requestText('GET', `${sandbox}/journal?limit=100000`, {}, ''));
      target.sent();
      await call(target, calls / 4);
    }
    const collections = `{"collections":{"labs":[${'{},'.repeat(1_000_000)}{}]}}`;
    await each(target, 5, [400, 503], 'PUT', `${sandbox}/state`, collections);
    await each(
      target,
      15,
      [400, 503],
      'PUT',
      `${sandbox}/state/labs/x`,
      `{"title":[${'{},'.repeat(300_000)}{}]}`,
    );
    const waiting = JSON.stringify({
      waitMs: 1000,
      counts: Array.from({ length: 100 }, () => ({ body: { a: Array.from({ length: 100 }, () => ({})) } })),
    });
    await each(target, 6, [200, 503], 'POST', `${sandbox}/journal/verify`, waiting);
    for (const connection of unread) connection.destroy();
  });
});

async function call(target: Target, count: number): Promise<void> {
  const connection = new Connection(target.port);
  for (let number = 0; number < count; number += 1) {
    target.sent();
    connection.send(requestText('POST', '/public/get-quiz-details', key, dense));
    const arrival = await connection.next('POST', 30_000);
    if (arrival !== null && 'status' in arrival && arrival.status === 200) continue;
    target.wrong(
      `A call: ${arrival === null ? 'no response within 30 s' : JSON.stringify(arrival).slice(0, 300)}`,
    );
    break;
  }
  connection.destroy();
}

/** Sends a request several times at once. */
async function each(
  target: Target,
  times: number,
  expected: readonly number[],
  method: string,
  path: string,
  body?: string,
): Promise<void> {
  const one = async (): Promise<void> => {
    const { status, body: text } = await ask(target.port, method, path, {
      within: 60_000,
      ...(body === undefined ? {} : { body }),
    });
    if (!expected.includes(status))
      target.wrong(`${method} ${path}: ${status} ${text.toString('utf8', 0, 200)}`, status);
  };
  target.sent(times);
  for (const outcome of await Promise.allSettled(Array.from({ length: times }, one))) {
    if (outcome.status === 'rejected') target.wrong(`${method} ${path}: ${String(outcome.reason)}`);
  }
}
