import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { callText } from '../support/wire.ts';
import { world, type World } from '../support/world.ts';

const count = 20;

/** A call that is delayed until the test ends. */
function held({ sandbox }: World): string {
  return callText(sandbox, {
    operation: 'get-all-instructors',
    elements: [{}],
    fault: 'delay; ms=600000',
  });
}

function creation({ sandbox }: World, number: number): string {
  return callText(sandbox, {
    operation: 'create-instructor-account',
    elements: [{ instructorEmail: `held${number}@school.example` }],
  });
}

/** Sends a call that is answered at once, a delayed one, and text behind it. Waits until the server has read them. */
async function sent(own: World, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    callText(own.sandbox, { operation: 'get-all-instructors', elements: [{}] }) + held(own) + text,
  );
  await once(socket, 'data');
  socket.resume();
  return socket;
}

const outcomesIn = async ({ sandbox }: World): Promise<readonly string[]> =>
  (await sandbox.journal.list()).map(({ outcome }) => outcome);

describe('calls that wait behind a delayed one of their connection', () => {
  it.each(['FIN', 'RST'])(
    'do not run if the client leaves, and are journaled as client-gone: %s',
    async (how) => {
      const own = await world();
      const before = await own.sandbox.state.export();
      const calls = Array.from({ length: count }, (_, number) => creation(own, number));
      const socket = await sent(own, calls.join(''));
      if (how === 'FIN') socket.end();
      else socket.resetAndDestroy();
      const left = Array.from({ length: 1 + count }, () => 'client-gone');
      await eventually(async () => expect(await outcomesIn(own)).toEqual(['ok', ...left]));
      expect(await own.sandbox.state.export()).toEqual(before);
    },
  );

  it('have no entry if the server has ended the connection before their turn', async () => {
    const own = await world();
    const reset = callText(own.sandbox, {
      operation: 'get-all-instructors',
      elements: [{}],
      fault: 'reset',
    });
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
    socket.on('error', () => {}).resume();
    socket.write(reset + creation(own, 1));
    await new Promise((done) => void socket.once('close', done));
    expect(await outcomesIn(own)).toEqual(['fault']);
  });
});

describe('a request of which a part has arrived behind a delayed call', () => {
  it('is journaled as client-gone if its client ends the connection', { tags: ['slow'] }, async () => {
    const own = await world();
    const text = creation(own, 1);
    const socket = await sent(own, text.slice(0, -5));
    socket.end();
    await eventually(async () =>
      expect((await outcomesIn(own)).toSorted()).toEqual(['client-gone', 'client-gone', 'ok']),
    );
  });
});
