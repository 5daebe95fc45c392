import type { components } from '../contract/generated/control.ts';
import { Clock } from '../sandbox/clock.ts';
import { SandboxError } from '../base/errors.ts';

/** A clock setting: running or frozen, from a given time (ISO 8601) or from its current time. */
export type ClockSetting = components['schemas']['ClockSetting'];

export function readClock(clock: Clock): components['schemas']['Clock'] {
  return { mode: clock.isFrozen ? 'frozen' : 'real', now: new Date(clock.now()).toISOString() };
}

/** Sets a clock. Throws SandboxError for an invalid time. */
export function setClock(clock: Clock, { mode, now }: ClockSetting): void {
  const at = now === undefined ? clock.now() : Date.parse(now);
  if (Number.isNaN(at))
    throw new SandboxError(`"now" must be an ISO 8601 date-time, but is ${JSON.stringify(now)}.`);
  if (mode === 'frozen') clock.freeze(at);
  else clock.run(at);
}

/** Returns a clock for a new sandbox. */
export function newClock(setting: ClockSetting): Clock {
  const clock = new Clock();
  setClock(clock, setting);
  return clock;
}
