import type { Schemas } from '../../control-problem.ts';

/** The parts of a rule that decide whether it can ever fire. */
type Conditions = Pick<Schemas['FaultRule'], 'when' | 'match' | 'keySchool'>;

/** Returns why a rule can never fire, however often it is armed, as the end of a sentence; null if it can. */
export function whyNever({ when = {}, match = {}, keySchool }: Conditions): string | null {
  const { first = Infinity, every = 1, times = Infinity, probability = 1 } = when;
  if (times === 0) return 'it may fire at most 0 times';
  if (probability === 0) return 'its probability is 0';
  if (first === 0) return 'it affects only the first 0 calls';
  if (first < every)
    return `it affects one call in ${every}, and only the first ${first} ${first === 1 ? 'call' : 'calls'}`;
  if (keySchool === null) return 'no school of this sandbox has its key';
  if (keySchool !== undefined && match.school !== undefined && match.school !== keySchool)
    return `its key is of the school ${keySchool}, but its school is ${match.school}`;
  return null;
}

/** Returns why a rule that was just armed cannot fire, as a sentence; null if it can. */
export function whyIdle(rule: Conditions & Pick<Schemas['FaultRule'], 'canFire'>): string | null {
  const never = whyNever(rule);
  if (never !== null) return `It can never fire, because ${never}.`;
  return rule.canFire ? null : 'It cannot fire, because its time is over.';
}
