import type { components } from '../contract/generated/control.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { isOperationName, operationNames } from '../contract/operation-types.ts';
import { groupBy } from '../base/group-by.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { pointerTo } from '../base/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { parseKey, shortened } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { refuse } from './fitting.ts';

type Schemas = components['schemas'];

/** Returns the current limits and their use. */
export function readLimits({ limits, options, clock }: Sandbox): Schemas['Limits'] {
  const now = clock.now();
  const byOperation = groupBy([...limits.counters.all], ({ operation }) => operation);
  const entries = operationNames.map((name): [string, Schemas['OperationLimit']] => {
    const limit = limits.of(name, (assumption) => options[assumption]);
    const stated = operationFacts[name].limit;
    const counters = (byOperation.get(name) ?? []).map(({ caller, window }) => ({
      who: shown(caller),
      used: window.used(now),
    }));
    return [
      name,
      {
        requests: limit === null ? null : limit.requests,
        windowSeconds: limit === null ? (stated?.windowSeconds ?? 60) : limit.length / 1000,
        stated: stated?.requests ?? null,
        own: limits.own.get(name) ?? null,
        counters,
      },
    ];
  });
  return { scale: limits.scale, operations: Object.fromEntries(entries) };
}

/**
 * Sets the limits; missing ones are reset to the documented values. Throws ValidationError for an unknown
 * operation.
 */
export function setLimits(
  { limits, caps }: Sandbox,
  { scale = 1, operations = {} }: Schemas['LimitSetting'],
): void {
  const wrong = new ViolationList(caps.violations);
  const list = `The operations are ${operationNames.join(', ')}.`;
  for (const name of Object.keys(operations)) {
    if (!isOperationName(name))
      wrong.add(
        pointerTo('/operations', name),
        () => `is not an operation.${didYouMean(name, operationNames)} ${list}`,
      );
  }
  refuse('The limits are invalid.', wrong);
  limits.scale = scale;
  limits.own.clear();
  for (const [name, requests] of Object.entries(operations))
    if (isOperationName(name)) limits.own.set(name, requests);
}

function shown(who: string): string {
  return parseKey(who) === null ? who : shortened(who);
}
