import { assumptionNames, assumptions } from '../assumptions.ts';
import type { components } from '../contract/generated/control.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readClock } from './clock.ts';

/** Returns how a sandbox differs from one that nobody has changed, apart from its records. */
export function listDeviations({
  clock,
  faults,
  options,
  limits,
}: Sandbox): components['schemas']['Deviations'] {
  return {
    clock: { ...readClock(clock), aheadSeconds: clock.aheadMs() / 1000 },
    scenario: faults.scenario?.name ?? null,
    rules: faults.all.filter((rule) => rule.scenario === null && rule.canFire(clock.now())).length,
    assumptions: assumptionNames.filter((name) => options[name] !== assumptions[name].default),
    limits: { scale: limits.scale, own: limits.own.size },
  };
}
