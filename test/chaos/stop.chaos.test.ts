import { it } from 'vitest';
import type { Program } from '../support/command.ts';
import { Connection, requestText } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

/** How long a stop may take. In milliseconds. */
const maxStopMs = 5000;
const key = { 'SERVICE-API-KEY': 'sbx_busy_riverside', 'Content-Type': 'application/json' };
const events = '{"data":[{"data":{}}]}';

it('SIGTERM in the middle of it all', async (context) => {
  const crowd = new Set<Connection>();
  await phase(
    context,
    { maxMemoryMiB: 512, stop: (target, program) => stopBusyServer(target, program, crowd) },
    async (target) => {
      gather(target, crowd);
      await new Promise((done) => setTimeout(done, 500));
    },
  );
  for (const connection of crowd) connection.destroy();
});

/** Clients of every kind that are in the middle of something. */
function gather(target: Target, crowd: Set<Connection>): void {
  const batch = `{"data":[${`{"data":{}},`.repeat(1500).slice(0, -1)}]}`;
  const half = requestText('POST', '/public/get-all-live-events', key, batch);
  const all: Readonly<Record<string, Buffer>> = {
    idle: Buffer.alloc(0),
    'half a head': Buffer.from('POST /public/get-all-live-events HTTP/1.1\r\nHost: a\r\nX-'),
    'half a body': half.subarray(0, half.length - 100),
    'a held call': requestText(
      'POST',
      '/public/get-all-live-events',
      { ...key, 'Sandbox-Fault': 'timeout' },
      events,
    ),
    'a delayed call': requestText(
      'POST',
      '/public/get-all-live-events',
      { ...key, 'Sandbox-Fault': 'delay; ms=60000' },
      events,
    ),
    'a slow reply': requestText(
      'POST',
      '/public/get-all-live-events',
      { ...key, 'Sandbox-Fault': 'slow-body' },
      events,
    ),
    'a stream': requestText('GET', '/control/sandboxes/default/journal/stream'),
    'a verify that waits': requestText(
      'POST',
      '/control/sandboxes/default/journal/verify',
      { 'Content-Type': 'application/json' },
      '{"counts":[{"times":9}],"waitMs":30000}',
    ),
  };
  for (const bytes of Object.values(all)) {
    for (let number = 0; number < 10; number += 1) {
      const connection = new Connection(target.port);
      connection.send(bytes);
      crowd.add(connection);
      target.sent();
    }
  }
}

/** Sends the signal while large batches are answered, and their clients do not read. */
async function stopBusyServer(target: Target, program: Program, crowd: Set<Connection>): Promise<void> {
  const batch = `{"data":[${`{"data":{}},`.repeat(5000).slice(0, -1)}]}`;
  for (let number = 0; number < 6; number += 1) {
    const connection = new Connection(target.port);
    connection.send(requestText('POST', '/public/get-all-live-events', key, batch));
    connection.socket.pause();
    crowd.add(connection);
    target.sent();
  }
  await new Promise((done) => setTimeout(done, 50));
  const began = performance.now();
  const { code, signal } = await program.stop('SIGTERM');
  const took = performance.now() - began;
  target.note(`ended with ${code ?? signal} after ${took.toFixed(0)} ms`);
  if (took > maxStopMs) target.wrong(`The stop took ${took.toFixed(0)} ms, not at most ${maxStopMs}.`);
}
