import { it } from 'vitest';
import { ask, call, Connection, requestText, type Reply } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

/** Takes two bytes of memory. */
const wide = '→';

it('every kind of memory filled at once, with 256 MiB of heap', async (context) => {
  const nodeFlags = ['--max-old-space-size=256'];
  await phase(context, { nodeFlags, args: ['--limits', 'off'], maxMemoryMiB: 768 }, async (target) => {
    await inParallel(3000, (index) => send(target, `s${index}`, 'get-quiz-details', [{ quizId: 'none' }]));
    target.sent();
    check(target, await ask(target.port, 'GET', '/control/report', { within: 60_000 }));
    await inParallel(40, (index) =>
      send(target, `m${index % 4}`, 'create-instructor-account', teachers(index)),
    );
    const long = [{ quizId: wide.repeat(64_000) }];
    await inParallel(1200, (index) => send(target, `j${index % 10}`, 'get-quiz-details', long));
    const held = Array.from({ length: 300 }, (_, index) => hold(target, index));
    const unread = Array.from({ length: 14 }, () => leaveUnread(target));
    await inParallel(60, (index) => send(target, `s${index}`, 'get-all-instructors', [{}]));
    for (const connection of [...held, ...unread]) connection.destroy();
  });
});

function teachers(index: number): readonly object[] {
  return Array.from({ length: 500 }, (_, number) => ({
    instructorEmail: `t${index}-${number}@full.example`,
    instructorName: `${wide}${'n'.repeat(480)}`,
  }));
}

/** Sends a call that a fault delays, or a request that waits for calls. */
function hold(target: Target, index: number): Connection {
  const numbers = Array.from({ length: 49_000 }, () => 0);
  const [path, body] =
    index % 2 === 0
      ? ['/public/get-quiz-details', batchOf([{ quizId: wide.repeat(150_000) }])]
      : [
          `/control/sandboxes/j${index % 10}/journal/verify`,
          { counts: [{ atLeast: 5000, body: { data: numbers } }], waitMs: 15_000 },
        ];
  return begin(target, path, 'sbx_held_riverside', body);
}

/** Requests a large response, and reads nothing of it. */
function leaveUnread(target: Target): Connection {
  const body = batchOf(Array.from({ length: 4 }, () => ({})));
  const connection = begin(target, '/public/get-all-instructors', 'sbx_m0_riverside', body);
  connection.socket.pause();
  return connection;
}

function begin(target: Target, path: string, key: string, body: object): Connection {
  const connection = new Connection(target.port);
  const headers = {
    'SERVICE-API-KEY': key,
    'Content-Type': 'application/json',
    ...(key === 'sbx_held_riverside' ? { 'Sandbox-Fault': 'delay; ms=40000' } : {}),
  };
  target.sent();
  connection.send(requestText('POST', path, headers, JSON.stringify(body)));
  return connection;
}

async function send(
  target: Target,
  sandbox: string,
  operation: string,
  elements: readonly object[],
): Promise<void> {
  target.sent();
  const key = `sbx_${sandbox}_riverside`;
  check(target, await call(target.port, operation, { key, body: batchOf(elements), within: 60_000 }));
}

/** A server whose memory is full refuses what is large. */
function check(target: Target, { status, body }: Reply): void {
  if (![200, 413, 503].includes(status)) target.wrong(`${status} ${body.toString('utf8', 0, 200)}`, status);
}

function batchOf(elements: readonly object[]): object {
  return { data: elements.map((data) => ({ data })) };
}

async function inParallel(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await act(next - 1);
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
}
