import type { Pace } from '../pace.ts';
import { because, type Finding } from '../probe.ts';
import type { Reply } from '../reply.ts';
import { Unreachable, type Request } from '../upstream.ts';

/**
 * A server error or a dropped connection that did not come again. It may have counted toward the limit, so the counts
 * are not known.
 */
export class StrayError extends Error {}

/**
 * Makes a call at once, and repeats it after a server error or a dropped connection. Rejects with StrayError if the
 * responses differ.
 */
export async function insist(pace: Pace, request: Request): Promise<Reply> {
  const reply = await replyOrNull(pace, request);
  if (reply !== null && reply.status < 500) return reply;
  const again = await pace.callAtOnce(request);
  if (again.status !== reply?.status) throw new StrayError();
  return reply;
}

async function replyOrNull(pace: Pace, request: Request): Promise<Reply | null> {
  try {
    return await pace.callAtOnce(request);
  } catch (error) {
    if (error instanceof Unreachable && error.isDropped) return null;
    throw error;
  }
}

/** How often a probe that counts calls is tried. */
export const attempts = 2;

/** Runs a probe that counts calls, again if a server error or a dropped connection comes in between. */
export async function twice(attempt: () => Promise<Finding>): Promise<Finding> {
  for (let made = 0; made < attempts; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StrayError)) throw error;
    }
  }
  return because(
    'the service returned server errors or dropped connections in between, in both attempts: run calibrate again',
  );
}
