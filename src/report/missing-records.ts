import type { Step } from './calls.ts';
import { areOfTimer } from './human-pauses.ts';

/** A missing record may appear: repeats of its request after this time, or after growing pauses, may be polling. */
export const missing = { ms: 250, kind: 'not-found' };

/** Leaves out the repeats for missing records that may be polls, or those of a person. */
export function withoutPolls(all: readonly (readonly Step[])[]): readonly (readonly Step[])[] {
  const missed = all.filter(areForMissing);
  const unlikePolls = new Set(
    missed.filter((vain) => (vain.length > 1 ? !areGrowing(vain) : (vain[0]?.pause ?? 0) < missing.ms)),
  );
  const pauses = [...unlikePolls].flat().map(({ pause }) => pause);
  const isProgram = areOfTimer(pauses);
  return all.filter((vain) => !areForMissing(vain) || (isProgram && unlikePolls.has(vain)));
}

function areForMissing(vain: readonly Step[]): boolean {
  return vain.every(({ before: { entry } }) => {
    const { failures } = entry;
    return failures.length > 0 && failures.every(({ kind }) => kind === missing.kind);
  });
}

function areGrowing(vain: readonly Step[]): boolean {
  return vain.every(({ pause }, index) => index === 0 || pause > (vain[index - 1]?.pause ?? 0));
}
