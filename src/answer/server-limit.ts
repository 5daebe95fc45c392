import type { ServerLimitName, ServerLimits } from '../base/server-limits.ts';
import type { StateCapacityError } from '../sandbox/state-memory.ts';
import { Refusal } from './refusal.ts';

/** Refuses a call that exceeds a limit of this server. `what` says what was sent, `advice` what to do. */
export function beyondLimit(caps: ServerLimits, name: ServerLimitName, what: string, advice: string): Refusal {
  const limit = `This is a limit of this server, not of the platform; --max ${name}=N changes it.`;
  return new Refusal('server-limit', 413, `${what} ${advice} ${limit}`, { headers: limitHeader(caps, name) });
}

/** The same for a limit that has no name. */
export function beyondFixedLimit(what: string): Refusal {
  return new Refusal('server-limit', 413, `${what} This is a limit of this server, not of the platform.`);
}

/** Refuses a call for which this server has no room at the moment. */
export function noRoom(caps: ServerLimits, name: ServerLimitName): Refusal {
  const message = `This server is busy with other large calls. Try again in 1 s. This is a limit of this server, not of the platform; --max ${name}=N changes it.`;
  return new Refusal('server-busy', 503, message, { headers: ['Retry-After', '1', ...limitHeader(caps, name)] });
}

/** Refuses a call whose changes have no room in memory. */
export function noStateRoom(caps: ServerLimits, { of, message }: StateCapacityError): Refusal {
  if (of === 'server') return new Refusal('server-busy', 503, message, { headers: ['Retry-After', '60'] });
  const name = of === 'record' ? 'recordBytes' : 'stateBytes';
  return new Refusal('server-limit', 413, message, { headers: limitHeader(caps, name) });
}

function limitHeader(caps: ServerLimits, name: ServerLimitName): readonly string[] {
  return ['Sandbox-Limit', `${name}; max=${caps[name]}`];
}
