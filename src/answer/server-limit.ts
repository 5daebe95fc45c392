import type { ServerLimitName, ServerLimits } from '../base/server-limits.ts';
import { shortageHeader, shortageText, type Shortage } from '../base/shortage.ts';
import { whoseQuota, type StateCapacityError } from '../sandbox/state-memory.ts';
import { Refusal } from './refusal.ts';

/** Returns the refusal for a call that exceeds a limit of this server. `what` and `advice` are sentences. */
export function beyondLimit(
  caps: ServerLimits,
  name: ServerLimitName,
  what: string,
  advice: string,
): Refusal {
  return new Refusal('server-limit', 413, `${what} ${advice} ${whoseLimit(name)}`, {
    headers: limitHeader(caps, name),
  });
}

/** Returns the refusal for a limit without a name. */
export function beyondFixedLimit(what: string): Refusal {
  return new Refusal('server-limit', 413, `${what} This is a limit of this server, not of the platform.`);
}

/** The limits of memory that calls share. */
export type SharedLimitName = 'waitingCallsBytes' | 'repliesInFlightBytes' | 'bodiesInFlightBytes';

/** A limit leaves no memory for a call. The call had no effect. */
export class NoRoomError extends Error {
  readonly limit: SharedLimitName;

  constructor(limit: SharedLimitName) {
    super();
    this.limit = limit;
  }
}

/** Returns the refusal for a call for which this server currently has no room. */
export function noRoom(name: ServerLimitName, shortage: Shortage): Refusal {
  const message = `This server is busy with other large calls. Try again in 1 s. ${shortageText(name, shortage)}`;
  return new Refusal('server-busy', 503, message, { headers: busyHeaders(name, shortage) });
}

/** Returns the headers of a refusal for lack of room, as a list of names and values. */
function busyHeaders(name: ServerLimitName, shortage: Shortage): readonly string[] {
  return ['Retry-After', '1', 'Sandbox-Limit', shortageHeader(name, shortage)];
}

/** Returns the sentence that ends the message about a limit. */
function whoseLimit(name: ServerLimitName): string {
  return `This is a limit of this server, not of the platform; --max ${name}=N changes it.`;
}

/** Returns the refusal for a call whose changes do not fit into memory. */
export function noStateRoom(caps: ServerLimits, { of, message }: StateCapacityError): Refusal {
  if (of === 'server') return new Refusal('server-busy', 503, message, { headers: ['Retry-After', '60'] });
  return new Refusal('server-limit', 413, message, { headers: limitHeader(caps, of) });
}

/** Returns the refusal for a call beyond the calls per second of its sandbox. */
export function tooManyCalls(caps: ServerLimits): Refusal {
  const what = `This server accepts at most ${caps.callsPerSecond} calls per second to this sandbox, whatever their operation. The call had no effect. Try again in 1 s.`;
  return new Refusal('server-busy', 503, `${what} ${whoseQuota('callsPerSecond')}`, {
    headers: ['Retry-After', '1', ...limitHeader(caps, 'callsPerSecond')],
  });
}

function limitHeader(caps: ServerLimits, name: ServerLimitName): readonly string[] {
  return ['Sandbox-Limit', `${name}; max=${caps[name]}`];
}
