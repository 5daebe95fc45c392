import type { Verdict } from '../calibrate/verdict.ts';
import type { CausesByAspect } from './explain.ts';
import { isOdd } from './open-points.ts';
import type { OtherOption } from './twin.ts';

/** Whether an option is one of those. */
export function isOneOf(options: readonly OtherOption[]): (one: OtherOption) => boolean {
  return ({ assumption, option }) =>
    options.some((one) => one.assumption === assumption && one.option === option);
}

/** Whether the probes of calibrate leave an option possible. */
export function isPossible(verdicts: readonly Verdict[]): (one: OtherOption) => boolean {
  return ({ assumption, option }) => {
    const verdict = verdicts.find(({ name }) => name === assumption);
    return verdict === undefined || (!isOdd(verdict) && verdict.left.includes(option));
  };
}

/** Returns the causes without the options that are not right. */
export function onlyCauses(causes: CausesByAspect, isRight: (one: OtherOption) => boolean): CausesByAspect {
  return new Map(
    [...causes].map(([aspect, cause]) => [aspect, { ...cause, options: cause.options.filter(isRight) }]),
  );
}
