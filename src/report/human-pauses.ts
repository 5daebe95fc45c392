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

/** Programs often wait for round times. The pauses of a person vary by more, so that all rests are about as likely. */
const roundMs = 500;
/** A timer never fires early, but the clocks of both sides round. */
const earlyMs = 2;
/** The maximum probability of a rest: slightly more than if all were equally likely. */
const roundChance = (1.1 * (timerMs + earlyMs)) / roundMs;

/** The maximum share of the people who may be taken for programs, by all tests together. */
const mostWrong = 1e-4;

const fewPeople = 'Fewer than 1 in 10,000 people would be taken for a program';
const shortRule = `hardly any person would pause like that. This is the case if one pause is shorter than ${reactions[0].ms / 1000} s, if too many are shorter than ${reactions
  .slice(1)
  .map(({ ms }) => `${ms / 1000} s`)
  .join(' or ')}`;

/** When pauses are those of a program, in words. */
export const programRule = `${shortRule}, or if too many are equal or doubled (within ${timerMs} ms). ${fewPeople}`;

/** The same for pauses in the order in which they were made. */
export const rhythmRule = `${shortRule}, or if too many are equal or doubled, are multiples of ${roundMs / 1000} s, or grow by the same time or factor (within ${timerMs} ms each). ${fewPeople}`;

/**
 * Returns the members whose pauses, in milliseconds, are those of a program: too many are too short for a person, or
 * are those of a timer, equal or doubled each time. None if they may all be those of people.
 */
export function ofProgram<T>(all: readonly T[], pauseOf: (member: T) => number): readonly T[] {
  return firstFound(all, pauseOf, [ofTimer]);
}

/** Whether any of the pauses shows a program. */
export function areOfProgram(pauses: readonly number[]): boolean {
  return ofProgram(pauses, itself).length > 0;
}

/** The same for pauses in the order in which they were made: also regular growth and round times show a program. */
export function areOfRhythm(pauses: readonly number[]): boolean {
  return firstFound(pauses, itself, [ofTimer, ofRoundTimes, ofGrowth]).length > 0;
}

/** Whether pauses of several people show a program: how many of them are short says nothing then. */
export function areOfTimer(pauses: readonly number[]): boolean {
  const [{ ms, share }] = reactions;
  const mostWrongEach = mostWrong / (reactions.length + 1);
  const short = pauses.filter((pause) => pause < ms).length;
  return (
    tail(pauses.length, short, share) <= mostWrongEach || ofTimer(pauses, itself, mostWrongEach).length > 0
  );
}

function itself(pause: number): number {
  return pause;
}

/** Returns members that show a timer; at most this share of the people are taken for one. */
type TimerTest = <T>(
  all: readonly T[],
  pauseOf: (member: T) => number,
  mostWrongEach: number,
) => readonly T[];

function firstFound<T>(
  all: readonly T[],
  pauseOf: (member: T) => number,
  timers: readonly TimerTest[],
): readonly T[] {
  const mostWrongEach = mostWrong / (reactions.length + timers.length);
  for (const { ms, share } of reactions) {
    const short = all.filter((member) => pauseOf(member) < ms);
    if (tail(all.length, short.length, share) <= mostWrongEach) return short;
  }
  return timers.map((test) => test(all, pauseOf, mostWrongEach)).find(({ length }) => length > 0) ?? [];
}

/** Returns the members with round pauses, if there are too many for people. */
function ofRoundTimes<T>(
  all: readonly T[],
  pauseOf: (member: T) => number,
  mostWrongEach: number,
): readonly T[] {
  const round = all.filter((member) => {
    const pause = pauseOf(member) + earlyMs;
    return pause >= roundMs && pause % roundMs <= timerMs + earlyMs;
  });
  return tail(all.length, round.length, roundChance) <= mostWrongEach ? round : [];
}

/** What a pause is after two others if pauses grow by the same time, or by the same factor. */
const laws = [
  (first: number, second: number) => 2 * second - first,
  (first: number, second: number) => second ** 2 / first,
] as const;

/** Returns successive members whose pauses grow regularly, if they are too many for people. */
function ofGrowth<T>(all: readonly T[], pauseOf: (member: T) => number, mostWrongEach: number): readonly T[] {
  const most = mostWrongEach / laws.length / all.length;
  return laws.map((law) => longestBy(law, all, pauseOf, most)).find(({ length }) => length > 0) ?? [];
}

/** Returns successive members by a law with a lower probability than `most`. */
function longestBy<T>(
  law: (first: number, second: number) => number,
  all: readonly T[],
  pauseOf: (member: T) => number,
  most: number,
): readonly T[] {
  let start = 0;
  let chance = 1;
  for (const [index, member] of all.entries()) {
    const [first, second] = [index - 2, index - 1].flatMap((at) =>
      all.slice(Math.max(0, at), at + 1).map(pauseOf),
    );
    if (first === undefined || second === undefined) continue;
    const expected = law(first, second);
    // The two pauses before have some noise, too.
    const isRegular = second > first && Math.abs(pauseOf(member) - expected) <= 2 * timerMs;
    chance = isRegular ? chance * Math.min(1, 2 * densest(expected)) : 1;
    if (!isRegular) start = index - 1;
    else if (chance <= most) return all.slice(start, index + 1);
  }
  return [];
}

/** All pauses are compared with each other: more of them show nothing new. */
const maxCompared = 200;

/** Returns the largest group of members whose pauses are equal, or doubled, too often for people. */
function ofTimer<T>(
  members: readonly T[],
  pauseOf: (member: T) => number,
  mostWrongEach: number,
): readonly T[] {
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
