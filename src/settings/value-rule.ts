import { isBlank } from '../base/blank.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { describe, quoted } from '../base/violation.ts';

/** The rule for a value, whether it comes from a flag, a variable, a file or code. */
export interface ValueRule<T> {
  /** Completes "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => value is T;
  /** Parses a text. Returns the text itself if it cannot be parsed. */
  readonly fromText: (text: string) => unknown;
  /** Returns a hint about a wrong value, with a leading space. */
  readonly hint?: (value: unknown) => string;
  /** Whether messages must not show a value. */
  readonly isSecret?: (value: unknown) => boolean;
}

/** The rules for the members of a value, by name. */
export interface MembersRule {
  /** One member with its article, such as "an assumption", and several. */
  readonly noun: string;
  readonly plural: string;
  /** An example of the value in code. */
  readonly example: string;
  readonly members: Readonly<Record<string, ValueRule<unknown>>>;
}

/** A rule for each member of a type. */
export interface MembersRuleOf<T> extends MembersRule {
  readonly members: { readonly [N in keyof T & string]-?: ValueRule<Exclude<T[N], undefined>> };
}

/** Returns an error message to follow the name of a value. Null if the value is valid. */
export function wrongWith(rule: ValueRule<unknown>, value: unknown, shown = describe(value)): string | null {
  if (rule.accepts(value)) return null;
  if (rule.isSecret?.(value) === true) return `must be ${rule.expected}.`;
  return `must be ${rule.expected}, but is ${shown}.${rule.hint?.(value) ?? ''}`;
}

/** Returns the value of a text. Throws SandboxError, with the name of the setting, if the text is invalid. */
export function readValue<T>(rule: ValueRule<T>, name: string, text: string): T {
  const value = rule.fromText(text);
  if (rule.accepts(value)) return value;
  throw new SandboxError(`${name} ${wrongWith(rule, value, quoted(text))}`);
}

/** Returns an error message to follow the name of a member. Null if the member is valid. */
export function wrongWithMember(
  { noun, plural, members }: MembersRule,
  name: string,
  value: unknown,
  shown?: string,
): string | null {
  const rule = ruleFor(members, name);
  if (rule !== undefined) return wrongWith(rule, value, shown);
  const names = Object.keys(members);
  return `is not ${noun}.${didYouMean(name, names)} The ${plural} are ${names.join(', ')}.`;
}

/** Returns the rule with a name. Ignores inherited fields. */
export function ruleFor<R>(rules: Readonly<Record<string, R>>, name: string): R | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

const unchanged = (text: string): string => text;

function numberFrom(text: string): unknown {
  return /^-?(?:\d+\.?|\d*\.\d+)$/.test(text.trim()) ? Number(text) : text;
}

export function wholeNumber(min: number, max: number): ValueRule<number> {
  return aNumber(
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
  );
}

export const numberAboveZero = aNumber('a number above 0', (value) => value > 0);

export function aNumber(expected: string, accepts: (value: number) => boolean): ValueRule<number> {
  return {
    expected,
    accepts: (value): value is number =>
      typeof value === 'number' && Number.isFinite(value) && accepts(value),
    fromText: numberFrom,
  };
}

/** Extends a rule by the value `off`. */
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
    fromText: unchanged,
    hint: (value) => (typeof value === 'string' ? didYouMean(value, words) : ''),
  };
}

/** Accepts any text that is not blank. The names of files cannot contain the character NUL. */
export function someText(expected: string): ValueRule<string> {
  return {
    expected,
    accepts: (value): value is string =>
      typeof value === 'string' && !isBlank(value) && !value.includes('\0'),
    fromText: unchanged,
  };
}

/** Accepts any text without the character NUL; the caller checks it. */
export function anyText(expected: string): ValueRule<string> {
  return {
    expected,
    accepts: (value): value is string => typeof value === 'string' && !value.includes('\0'),
    fromText: unchanged,
  };
}

export const webUrl: ValueRule<string> = {
  expected: 'a URL such as https://sandbox.school.example, without user, password, query and fragment',
  accepts: (value): value is string => typeof value === 'string' && isBaseUrl(value),
  fromText: unchanged,
  // A password ends with this character.
  isSecret: (value) => typeof value === 'string' && value.includes('@'),
};

/** Allows no query and no fragment, because paths are appended to the URL, and no password, because it is shown. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** An empty text means true: a flag without a value is set. */
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
  fromText: unchanged,
};
