import { tail } from './binomial.ts';

/** How many of the pauses of people who see a failure, and try again, are shorter than some times at most. */
const reactions = [
  { ms: 250, share: 1e-6 },
  { ms: 500, share: 0.006 },
  { ms: 1000, share: 0.1 },
] as const;

/** How much the pauses of a person vary at least: the standard deviation of their logarithms. */
const variation = 0.3;

/** The pauses of a timer differ by this much at most, if the machine is not too busy. */
const timerMs = 20;

/** The maximum share of the people who may be taken for programs, and of those at each of the four tests. */
const mostWrong = 1e-4;
const mostWrongEach = mostWrong / (reactions.length + 1);

/** When pauses are those of a program, in words. */
export const programRule =
  `hardly any person would make them: one is shorter than ${reactions[0].ms / 1000} s, too many are shorter than ${reactions
    .slice(1)
    .map(({ ms }) => `${ms / 1000} s`)
    .join(' or ')}, or too many are equal or doubled (within ${timerMs} ms). ` +
  'Fewer than 1 in 10,000 people would be taken for a program';

/**
 * Returns the members whose pauses, in milliseconds, are those of a program: too many are too short for a person, or
 * are those of a timer, equal or doubled each time. None if they may all be those of people.
 */
export function ofProgram<T>(all: readonly T[], pauseOf: (member: T) => number): readonly T[] {
  for (const { ms, share } of reactions) {
    const short = all.filter((member) => pauseOf(member) < ms);
    if (tail(all.length, short.length, share) <= mostWrongEach) return short;
  }
  return ofTimer(all, pauseOf);
}

/** Whether any of the pauses shows a program. */
export function areOfProgram(pauses: readonly number[]): boolean {
  return ofProgram(pauses, (pause) => pause).length > 0;
}

/** Whether pauses of several people show a program: how many of them are short says nothing then. */
export function areOfTimer(pauses: readonly number[]): boolean {
  const [{ ms, share }] = reactions;
  const short = pauses.filter((pause) => pause < ms).length;
  return tail(pauses.length, short, share) <= mostWrongEach || ofTimer(pauses, (pause) => pause).length > 0;
}

/** All pauses are compared with each other: more of them show nothing new. */
const maxCompared = 200;

/** Returns the largest group of members whose pauses are equal, or doubled, too often for people. */
function ofTimer<T>(members: readonly T[], pauseOf: (member: T) => number): readonly T[] {
  const all = members.slice(0, maxCompared);
  let largest: readonly T[] = [];
  for (const anchor of all) {
    const base = pauseOf(anchor);
    const alike = all.filter((member) => isMultiple(pauseOf(member), base));
    if (alike.length <= largest.length || base <= 0) continue;
    const chance = densest(base);
    if (tail(all.length - 1, alike.length - 1, chance) <= mostWrongEach / all.length) largest = alike;
  }
  return largest;
}

/** Whether a pause is as long as the base, or that times a power of two. */
function isMultiple(pause: number, base: number): boolean {
  if (pause < base) return false;
  const times = 2 ** Math.round(Math.log2(pause / base));
  return Math.abs(pause / times - base) <= timerMs;
}

/** Returns the maximum probability that the pause of a person is within the time of a timer around a multiple of the base. */
function densest(base: number): number {
  // Of a normal distribution, and of the neighbors at half and twice the pause.
  const density = 1.15 / (variation * Math.sqrt(2 * Math.PI));
  return Math.min(1, (2 * timerMs * density) / base);
}
