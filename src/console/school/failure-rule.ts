import type { components } from '../../contract/generated/control.ts';
import type { ApiCall } from './api-call.ts';

type Schemas = components['schemas'];

/** The beginning of the ids of rules that this page adds. */
export const rulePrefix = 'school-page-';

/** Returns the rule that makes the next such call of a school fail. */
export function failureRule(call: ApiCall, school: string): Schemas['NewFaultRule'] {
  const { operation, identity } = call;
  return {
    id: ruleIdOf(call, school),
    operation,
    match: { school, ...(Object.keys(identity).length === 0 ? {} : { parameters: identity }) },
    fault: 'http-error',
    with: { status: 503, 'retry-after': 2 },
    when: { times: 1 },
  };
}

/** Returns the id of that rule. It depends on the call alone, so a reloaded page still knows its rules. */
export function ruleIdOf({ operation, identity }: ApiCall, school: string): string {
  return `${rulePrefix}${hashOf(JSON.stringify([operation, school, identity]))}`;
}

/** Returns a 53-bit hash (cyrb53) as hexadecimal digits. The browser's own needs TLS. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16);
}

/** Whether a rule of this page still waits for its call, or has fired. */
export function stateOf(rule: Pick<Schemas['FaultRule'], 'fired'> | undefined): 'none' | 'armed' | 'fired' {
  if (rule === undefined) return 'none';
  return rule.fired > 0 ? 'fired' : 'armed';
}
