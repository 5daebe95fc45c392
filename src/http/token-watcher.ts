import { TokenType } from '@streamparser/json';
import { ValidationError } from '../base/errors.ts';
import { deepest } from '../base/json-depth.ts';
import { pointerOf } from '../base/violation.ts';
import { maxNumberChars } from './number-tokenizer.ts';

/**
 * The maximum number of different member names: an export of labs with data of their own has some ten thousand. Tables
 * of names of this size grow within 15 ms, those of a million would block other requests.
 */
const maxNames = 100_000;

/** The maximum length of a member name in characters: no record has a longer one. The longest would block other requests. */
const maxNameChars = 1_048_576;

/** A list or object of which the end has not been read. */
interface Open {
  /** The index or name of the member that is being read. */
  step: string | number;
  /** The number of fields so far; 0 for a list. */
  fields: number;
}

function pointerTo(open: readonly Open[]): string {
  return pointerOf(open.map(({ step }) => step));
}

/** Checks the tokens of a body against the limits. */
export class TokenWatcher {
  readonly #maxMembers: number;
  readonly #maxFields: number;
  readonly #names = new Set<unknown>();
  readonly #open: Open[] = [];
  #commas = 0;
  #text = '';

  constructor(maxMembers: number, maxFields: number) {
    this.#maxMembers = maxMembers;
    this.#maxFields = maxFields;
  }

  /** Throws ValidationError if a limit is exceeded. A number that is too long has the value NaN. */
  check({ token, value }: { readonly token: TokenType; readonly value: unknown }): void {
    if (token === TokenType.LEFT_BRACE) this.#begin('');
    else if (token === TokenType.LEFT_BRACKET) this.#begin(0);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#open.pop();
    else if (token === TokenType.STRING) this.#text = String(value);
    else if (token === TokenType.COMMA) this.#separate();
    else if (token === TokenType.COLON) this.#name();
    else if (token === TokenType.NUMBER && Number.isNaN(value)) throw this.longNumber();
  }

  /** Returns the error for a long number that is being read. */
  longNumber(): ValidationError {
    return refused(
      `is a number of more than ${maxNumberChars} characters, the limit of this server.`,
      pointerTo(this.#open),
    );
  }

  #begin(step: string | number): void {
    this.#open.push({ step, fields: 0 });
    if (this.#open.length > deepest) throw tooDeep();
  }

  #separate(): void {
    this.#commas += 1;
    if (this.#commas > this.#maxMembers)
      throw refused(
        `has more than ${Math.floor(this.#maxMembers)} members, the limit of this server for such a body.`,
      );
    const last = this.#open.at(-1);
    if (typeof last?.step === 'number') last.step += 1;
  }

  #name(): void {
    if (this.#text.length > maxNameChars)
      throw refused(`has a member name of more than ${maxNameChars} characters, the limit of this server.`);
    this.#names.add(this.#text);
    if (this.#names.size > maxNames) throw refused(`has more than ${maxNames} different member names.`);
    const last = this.#open.at(-1);
    if (last === undefined) return;
    last.step = this.#text;
    last.fields += 1;
    if (last.fields > this.#maxFields)
      throw tooManyFields(this.#maxFields, pointerTo(this.#open.slice(0, -1)));
  }
}

/** Returns the error for a body that is nested too deep. */
export function tooDeep(): ValidationError {
  return refused(`is nested more than ${deepest} levels deep.`);
}

/** Returns the error for an object with too many fields. Without a pointer, it is anywhere in the body. */
export function tooManyFields(max: number, pointer?: string): ValidationError {
  const what = pointer === undefined ? 'has an object of' : 'has';
  return refused(
    `${what} more than ${max} fields, the limit of this server; --max objectFields=N changes it.`,
    pointer,
  );
}

/** Returns the error for a body that violates a rule. */
export function refused(message: string, pointer = ''): ValidationError {
  return new ValidationError('The body is invalid.', [{ pointer, message }]);
}
