import { describe } from '../base/violation.ts';

/** One parameter of a fault: its purpose, its accepted values, and its default. */
export interface Parameter<T> {
  readonly help: string;
  /** The accepted values, in words: "a whole number from 400 to 599". */
  readonly form: string;
  /** How to interpret its value in a magic identifier. */
  readonly takes: 'number' | 'text';
  readonly standard: T;
  /** Returns whether a value is accepted. */
  readonly fits: (value: unknown) => value is NonNullable<T>;
}

export type Parameters = Readonly<Record<string, Parameter<string | number | undefined>>>;

/** The values of a fault's parameters, by name. */
export type Given<P extends Parameters> = { readonly [N in keyof P]: P[N]['standard'] };

interface Range<D extends number | undefined> {
  readonly from: number;
  readonly to: number;
  /** The default; undefined for an optional parameter. */
  readonly standard: D;
}

export function wholeNumber<D extends number | undefined>(
  help: string,
  { from, to, standard }: Range<D>,
): Parameter<number | D> {
  const fits = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return { help, form: `a whole number from ${from} to ${to}`, takes: 'number', standard, fits };
}

export function text(help: string, standard: string): Parameter<string> {
  const fits = (value: unknown): value is string => typeof value === 'string' && value.length <= maxTextChars;
  return { help, form: `a string of up to ${maxTextChars} characters`, takes: 'text', standard, fits };
}

const maxTextChars = 1000;

/** The values of parameters, and what is wrong with the given ones. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly wrong: readonly { readonly name: string; readonly message: string }[];
  readonly unknown: readonly string[];
}

export function readParameters(
  parameters: Parameters,
  given: Readonly<Record<string, unknown>>,
): ReadParameters {
  const values: Record<string, unknown> = {};
  const wrong: { name: string; message: string }[] = [];
  for (const [name, { form, standard, fits }] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    values[name] = value ?? standard;
    if (value !== undefined && !fits(value))
      wrong.push({ name, message: `must be ${form}, but is ${describe(value)}.` });
  }
  return { values, wrong, unknown: Object.keys(given).filter((name) => !Object.hasOwn(parameters, name)) };
}
