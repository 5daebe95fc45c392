import { it } from 'vitest';
import { call, Connection, requestText } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

const sandbox = 'asleep';
const sleepers = 50;
const calls = 950;
const bodyBytes = 64_000;

it('stream clients that never read', async (context) => {
  await phase(context, { nodeFlags: ['--max-old-space-size=256'], maxMemoryMiB: 512 }, async (target) => {
    const streams = Array.from({ length: sleepers }, () => new Connection(target.port));
    // The first call of its key opens the sandbox.
    await send(target, 1);
    for (const stream of streams)
      stream.send(requestText('GET', `/control/sandboxes/${sandbox}/journal/stream`));
    await Promise.all(streams.map((stream) => stream.next('GET', 5000)));
    for (const { socket } of streams) socket.pause();
    await send(target, calls);
    // One wakes up: it hears that there is a gap, or that it must connect again.
    const [first] = streams;
    if (first !== undefined && !(await wakesUp(first)))
      target.wrong('A client that woke up heard neither of a gap nor of the end.');
    for (const stream of streams) stream.destroy();
  });
});

/** Large calls, a few at a time. */
async function send(target: Target, count: number): Promise<void> {
  let left = count;
  const body = JSON.stringify({ data: [{ data: { quizId: 'x'.repeat(bodyBytes) } }] });
  const lane = async (): Promise<void> => {
    while (left > 0 && target.crash() === null) {
      left -= 1;
      target.sent();
      const { status } = await call(target.port, 'get-quiz-details', {
        key: `sbx_${sandbox}_riverside`,
        body,
      });
      if (status !== 200) target.wrong(`A call is answered with ${status}.`, status);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

async function wakesUp({ socket }: Connection): Promise<boolean> {
  let end = '';
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), 10_000);
    const finish = (): void => {
      clearTimeout(timer);
      done(true);
    };
    socket.on('data', (chunk: Buffer) => {
      end = `${end.slice(-50)}${chunk.toString('latin1')}`;
      if (end.includes('event: gap')) finish();
    });
    socket.once('close', finish);
    socket.resume();
  });
}
