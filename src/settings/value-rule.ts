import { didYouMean } from '../base/did-you-mean.ts';
import { describe } from '../base/violation.ts';

/** What a value must be, in words and in code: the same for a flag, a variable, a file and a caller. */
export interface ValueRule<T> {
  /** Completes "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => value is T;
  /** Returns the value that a text stands for, or the text itself if it stands for none. */
  readonly fromText: (text: string) => unknown;
  /** Returns what else there is to say about a wrong value, with a space in front. */
  readonly hint?: (value: unknown) => string;
  /** Whether a value may be a secret: no message shows it. */
  readonly isSecret?: true;
}

/** What the members of a value must be, by their names. */
export interface MembersRule {
  /** What one member is, and what several are. */
  readonly noun: string;
  readonly plural: string;
  /** What the value looks like in code. */
  readonly example: string;
  readonly members: Readonly<Record<string, ValueRule<unknown>>>;
}

/** The same for a type, with a rule for each of its members. */
export interface MembersRuleOf<T> extends MembersRule {
  readonly members: { readonly [N in keyof T & string]-?: ValueRule<Exclude<T[N], undefined>> };
}

/** Returns what is wrong with a value, to be put after its name; null if nothing is. */
export function wrongWith(rule: ValueRule<unknown>, value: unknown, shown = describe(value)): string | null {
  if (rule.accepts(value)) return null;
  if (rule.isSecret === true) return `must be ${rule.expected}.`;
  return `must be ${rule.expected}, but is ${shown}.${rule.hint?.(value) ?? ''}`;
}

/** Returns what is wrong with a member, to be put after its name; null if nothing is. */
export function wrongWithMember({ noun, plural, members }: MembersRule, name: string, value: unknown, shown?: string): string | null {
  const rule = ruleFor(members, name);
  if (rule !== undefined) return wrongWith(rule, value, shown);
  const names = Object.keys(members);
  return `is no ${noun}.${didYouMean(name, names)} The ${plural} are ${names.join(', ')}.`;
}

/** Returns the rule of that name; undefined if there is none, whatever objects inherit. */
export function ruleFor<R>(rules: Readonly<Record<string, R>>, name: string): R | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

const asItIs = (text: string): string => text;

function numberFrom(text: string): unknown {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}

export function wholeNumber(least: number, most: number): ValueRule<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    accepts: (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    fromText: numberFrom,
  };
}

export const numberAboveZero: ValueRule<number> = {
  expected: 'a number above 0',
  accepts: (value): value is number => Number.isFinite(value) && Number(value) > 0,
  fromText: numberFrom,
};

/** The rule, with `off` as one more value. */
export function orOff<T>({ expected, accepts, fromText }: ValueRule<T>): ValueRule<T | 'off'> {
  return {
    expected: `${expected}, or off`,
    accepts: (value): value is T | 'off' => value === 'off' || accepts(value),
    fromText,
  };
}

export function oneOf<T extends string>(words: readonly T[]): ValueRule<T> {
  return {
    expected: `one of ${words.join(', ')}`,
    accepts: (value): value is T => words.some((word) => word === value),
    fromText: asItIs,
    hint: (value) => (typeof value === 'string' ? didYouMean(value, words) : ''),
  };
}

/** Any text but an empty one. */
export function someText(expected: string): ValueRule<string> {
  return { expected, accepts: (value): value is string => typeof value === 'string' && value.trim() !== '', fromText: asItIs };
}

/** Any text at all, which somebody else looks at. */
export function anyText(expected: string): ValueRule<string> {
  return { expected, accepts: (value): value is string => typeof value === 'string', fromText: asItIs };
}

export const webUrl: ValueRule<string> = {
  expected: 'a URL such as https://sandbox.school.example, without query and fragment',
  accepts: (value): value is string => typeof value === 'string' && isBaseUrl(value),
  fromText: asItIs,
};

/** Paths are appended to it, so there is no query and no fragment. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  return /^https?:$/.test(new URL(text).protocol);
}

/** As a text, nothing stands for true: a flag without a value is given or not. */
export const trueOrFalse: ValueRule<boolean> = {
  expected: 'true or false',
  accepts: (value): value is boolean => typeof value === 'boolean',
  fromText: (text) => {
    if (['', 'true', '1'].includes(text)) return true;
    return ['false', '0'].includes(text) ? false : text;
  },
};

export const aFunction: ValueRule<(message: string) => void> = {
  expected: 'a function',
  accepts: (value): value is (message: string) => void => typeof value === 'function',
  fromText: asItIs,
};
