import { send } from '../api.ts';

/** A server that takes longer to respond to a request of the demo, in milliseconds, is gone. */
const maxWaitMs = 10_000;

/** Returns a signal that also ends the wait for a server that is gone. */
export function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
}

/** Throws ControlProblem if the server is gone. */
export async function requireServer(signal: AbortSignal): Promise<void> {
  await send('get', '/healthz', undefined, { signal: withTimeout(signal) });
}
