import { describe } from '../base/violation.ts';

/** One parameter of a fault: what it is for, which values it takes, and what it is where it is not given. */
export interface Parameter<T> {
  readonly help: string;
  /** The values that it takes, in words: "a whole number from 400 to 599". */
  readonly form: string;
  /** What it is written as where everything is text. */
  readonly takes: 'number' | 'text';
  readonly standard: T;
  /** Whether a value is one that it takes. */
  readonly fits: (value: unknown) => value is NonNullable<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of a fault's parameters, by name. */
export type Given<P extends Parameters> = { readonly [N in keyof P]: P[N]['standard'] };

interface Range<D extends number | undefined> {
  readonly from: number;
  readonly to: number;
  /** Undefined for a parameter that may be left out. */
  readonly standard: D;
}

export function wholeNumber<D extends number | undefined>(help: string, { from, to, standard }: Range<D>): Parameter<number | D> {
  const fits = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return { help, form: `a whole number from ${from} to ${to}`, takes: 'number', standard, fits };
}

export function text(help: string, standard: string): Parameter<string> {
  const fits = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText;
  return { help, form: `a text of up to ${longestText} characters`, takes: 'text', standard, fits };
}

const longestText = 1000;

/** What is wrong with the values given for parameters, and the values where nothing is. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly wrong: readonly { readonly name: string; readonly message: string }[];
  readonly unknown: readonly string[];
}

export function readParameters(parameters: Parameters, given: Readonly<Record<string, unknown>>): ReadParameters {
  const values: Record<string, unknown> = {};
  const wrong: { name: string; message: string }[] = [];
  for (const [name, { form, standard, fits }] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    values[name] = value ?? standard;
    if (value !== undefined && !fits(value)) wrong.push({ name, message: `must be ${form}, but is ${describe(value)}.` });
  }
  return { values, wrong, unknown: Object.keys(given).filter((name) => !Object.hasOwn(parameters, name)) };
}
