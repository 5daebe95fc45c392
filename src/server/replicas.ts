import { secondsIn } from '../base/amounts.ts';
import { SandboxError } from '../base/errors.ts';
import type { Replica } from '../ledger/stored-sandboxes.ts';
import { pauseFor, stopwatch } from '../sandbox/clock.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { isDatabaseUrl } from '../settings/database-url.ts';
import type { Served } from '../http/server/listen.ts';
import type { Settings } from './server.ts';

/** What a server needs to share its sandboxes with others. */
interface Sharing {
  readonly address: string;
  readonly secret: string;
}

/** Returns how the sandboxes are shared; null if they are not. Throws SandboxError if a setting for that is missing. */
export function sharedBy({ advertise, replicaSecret, data, idleRelease }: Settings): Sharing | null {
  if (advertise === undefined && idleRelease !== undefined)
    throw new SandboxError(
      'idleRelease (--idle-release) is for servers that share a database. Set advertise (--advertise), too, or omit it.',
    );
  if (advertise === undefined && replicaSecret === undefined) return null;
  if (data === undefined || !isDatabaseUrl(data))
    throw new SandboxError(
      'advertise (--advertise) and replicaSecret (--replica-secret) are for servers that share a database. Set data (--data) to a URL such as postgres://user@db.example/sandboxes, or omit them.',
    );
  if (advertise === undefined)
    throw new SandboxError(
      'replicaSecret (--replica-secret) needs advertise (--advertise): the URL at which the other replicas reach this one.',
    );
  if (replicaSecret === undefined)
    throw new SandboxError(
      'advertise (--advertise) needs replicaSecret (--replica-secret): the same secret for all replicas, with which they forward calls to each other.',
    );
  const { protocol, pathname, origin } = new URL(advertise);
  if (protocol !== 'http:' || pathname !== '/')
    throw new SandboxError(
      `advertise (--advertise) must be an http URL without a path, such as http://replica-1.example:4010, but is ${JSON.stringify(advertise)}. Replicas reach each other directly, in a network of their own.`,
    );
  return { address: origin, secret: replicaSecret };
}

/** Returns where other replicas reach this one, and how long unused sandboxes stay in its memory. */
export function placeOf(
  { idleRelease = 'PT10M' }: Settings,
  sharing: Sharing | null,
): { readonly address: string | null; readonly idleReleaseSeconds: number | null } {
  return { address: sharing?.address ?? null, idleReleaseSeconds: secondsIn(idleRelease) };
}

/** How long a leaving replica still accepts requests, until load balancers have noticed, in milliseconds. */
const leavingMs = 1500;
const giveAgainMs = 10;

/** Gives all sandboxes to the other replicas, while requests to them are forwarded there. */
export async function drain(sandboxes: Sandboxes, replica: Replica, listening: Served): Promise<void> {
  listening.leave();
  // Without the database, nothing can be given away: what is stored is free when the session ends.
  await replica.leave().catch(() => {});
  const until = stopwatch() + leavingMs;
  while (stopwatch() < until) {
    for (const sandbox of sandboxes.all) {
      // Who follows a journal continues at the next replica.
      sandbox.journal.disconnectListeners();
      if (sandbox.requestsInFlight === 0) sandboxes.putAway(sandbox);
    }
    await pauseFor(giveAgainMs);
  }
}
