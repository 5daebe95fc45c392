import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import supertest from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';

const key = 'sbx_default_riverside';
const count = 100_000;
const agent = `client/${'1'.repeat(300)}`;

/** About 50 MB, beginning with a call that a fault holds back. */
function* callsInPieces(): Generator<string> {
  for (let first = 0; first < count; first += 500)
    yield Array.from({ length: 500 }, (_, index) => callText(first + index)).join('');
}

function callText(number: number): string {
  const body = JSON.stringify({ data: [{ data: { quizId: `number ${number}` } }] });
  const fault = number === 0 ? 'Sandbox-Fault: delay; ms=600000\r\n' : '';
  return `POST /public/get-quiz-details HTTP/1.1\r\nHost: a\r\nUser-Agent: ${agent}\r\nSERVICE-API-KEY: ${key}\r\n${fault}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends all calls as fast as the system takes them, and reads all responses. */
function flood({ url }: Program) {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  const seen = { takenBytes: 0, answered: 0, misplaced: 0 };
  const pieces = callsInPieces();
  const sendNext = (): void => {
    const { value: piece } = pieces.next();
    if (typeof piece !== 'string') return;
    socket.write(piece, () => {
      seen.takenBytes += piece.length;
      sendNext();
    });
  };
  let rest = '';
  socket
    .on('error', () => {})
    .on('data', (piece: string) => {
      const text = rest + piece;
      const end = text.lastIndexOf('}') + 1;
      rest = text.slice(end);
      for (const [, number] of text.slice(0, end).matchAll(/number (\d+)/g)) {
        if (Number(number) !== seen.answered) seen.misplaced += 1;
        seen.answered += 1;
      }
    });
  sendNext();
  return seen;
}

/** The bytes that a process has read so far, from connections and files. */
function readBy({ pid }: Program): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

function peakMegabytesOf({ pid }: Program): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}

it('of 50 MB of calls behind one that a fault holds back, little is read until that ends; then all are answered in order', async () => {
  const program = await startProgram(['--port', '0', '--limits', 'off', '--log', 'silent'], {
    // Waiting calls have a quarter of it.
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
  });
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  const bystander = async (): Promise<void> => {
    const call = supertest(program.url).post('/public/get-all-instructors').set('SERVICE-API-KEY', key);
    await call.send({ data: [{ data: {} }] }).expect(200);
  };
  await bystander();
  const before = readBy(program);
  const seen = flood(program);
  await eventually(async () => {
    const { takenBytes } = seen;
    for (let turn = 0; turn < 20; turn += 1) await bystander();
    expect(takenBytes).toBeGreaterThan(0);
    expect(seen.takenBytes).toBe(takenBytes);
  });
  // One piece of 64 KiB, and modules of the server.
  expect(readBy(program) - before).toBeLessThan(4_000_000);
  expect(seen.answered).toBe(0);
  await supertest(program.url)
    .post('/control/sandboxes/default/clock/advance')
    .send({ seconds: 600 })
    .expect(200);
  let meanwhile = 0;
  while (seen.answered < count) {
    const { answered } = seen;
    await bystander();
    meanwhile = Math.max(meanwhile, seen.answered - answered);
  }
  expect(meanwhile).toBeLessThan(count / 10);
  expect(seen).toMatchObject({ answered: count, misplaced: 0 });
  expect(peakMegabytesOf(program)).toBeLessThan(300);
}, 180_000);
