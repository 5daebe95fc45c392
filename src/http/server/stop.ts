import { after } from '../../sandbox/clock.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { Listening } from './http-server.ts';
import type { ReadingTurns } from './reading-turns.ts';

/** How long a stop waits for requests in flight, in milliseconds. */
const gracePeriodMs = 3_000;

/**
 * How long a stop accepts connections that clients have opened before, and reads what has arrived, in milliseconds.
 * The system resets those that are not accepted when the server closes its port.
 */
const acceptMs = 1_000;

/** Ends all delays, finishes requests in flight, and cancels those that do not finish in time. */
export async function stop(
  sandboxes: Sandboxes,
  reading: ReadingTurns,
  servers: readonly Listening[],
): Promise<void> {
  const { slices } = sandboxes;
  const deadline = after(gracePeriodMs, () => {
    for (const server of servers) server.cutOff();
    slices.stop();
  });
  await reading.quiet(acceptMs);
  sandboxes.stopWaiting();
  await Promise.all(servers.map((server) => server.close()));
  // Work for disconnected clients is finished too, if there is time.
  await slices.whenIdle();
  deadline.cancel();
  slices.stop();
}
