import type { components } from '../contract/generated/control.ts';
import { settingAt, wallClock, type Clock, type ShownClock } from '../sandbox/clock.ts';
import type { Facts } from '../sandbox/facts.ts';
import { SandboxError } from '../base/errors.ts';

/** A clock setting: running or frozen, from a given time (ISO 8601) or from its current time. */
export type ClockSetting = components['schemas']['ClockSetting'];

export function readClock(clock: ShownClock): components['schemas']['Clock'] {
  return { mode: clock.isFrozen ? 'frozen' : 'real', now: new Date(clock.now()).toISOString() };
}

/** Sets a clock. Throws SandboxError for an invalid time. */
export function setClock(clock: Clock, setting: ClockSetting): void {
  const real = wallClock();
  clock.set(readSetting(setting, real, clock.now(real)));
}

/** Returns a setting as plain data. `current` is the time if it has none. Throws SandboxError for an invalid time. */
export function readSetting({ mode, now }: ClockSetting, real = wallClock(), current = real): Facts['clock'] {
  const at = now === undefined ? current : Date.parse(now);
  if (Number.isNaN(at))
    throw new SandboxError(`"now" must be an ISO 8601 date-time, but is ${JSON.stringify(now)}.`);
  return settingAt(at, mode === 'frozen', real);
}
