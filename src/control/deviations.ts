import { assumptionNames, assumptions } from '../assumptions.ts';
import type { components } from '../contract/generated/control.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readClock } from './clock.ts';
import { canFire } from './shown-rule.ts';

/** Returns how a sandbox differs from one that nobody has changed, apart from its records. */
export function listDeviations(sandbox: Sandbox): components['schemas']['Deviations'] {
  const { clock, faults, options, limits } = sandbox;
  const now = clock.now();
  return {
    clock: { ...readClock(clock), aheadSeconds: clock.aheadMs() / 1000 },
    scenario: faults.scenario?.name ?? null,
    rules: faults.all.filter((rule) => rule.scenario === null && canFire(sandbox, rule, now)).length,
    assumptions: assumptionNames.filter((name) => options[name] !== assumptions[name].default),
    limits: { scale: limits.scale, own: limits.own.size },
  };
}
