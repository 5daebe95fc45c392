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

/** Checks the tokens of a body against the limits. */
export class TokenWatcher {
  readonly #maxMembers: number;
  readonly #maxFields: number;
  readonly #names = new Set<unknown>();
  /** The index or name of the member that is being read, in each open list and object. */
  readonly #steps: (string | number)[] = [];
  /** The number of fields so far of each open object; 0 for lists. */
  readonly #fields: number[] = [];
  #commas = 0;
  #text = '';

  constructor(maxMembers: number, maxFields: number) {
    this.#maxMembers = maxMembers;
    this.#maxFields = maxFields;
  }

  /** Throws ValidationError if a limit is exceeded. A number that is too long has the value NaN. */
  check({ token, value }: { readonly token: TokenType; readonly value: unknown }): void {
    if (token === TokenType.LEFT_BRACE) this.#open('');
    else if (token === TokenType.LEFT_BRACKET) this.#open(0);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#close();
    else if (token === TokenType.STRING) this.#text = String(value);
    else if (token === TokenType.COMMA) this.#separate();
    else if (token === TokenType.COLON) this.#name();
    else if (token === TokenType.NUMBER && Number.isNaN(value)) throw this.longNumber();
  }

  /** Returns the error for a long number that is being read. */
  longNumber(): ValidationError {
    return refused(
      `is a number of more than ${maxNumberChars} characters, the limit of this server.`,
      pointerOf(this.#steps),
    );
  }

  #open(step: string | number): void {
    this.#steps.push(step);
    this.#fields.push(0);
    if (this.#steps.length > deepest) throw tooDeep();
  }

  #close(): void {
    this.#steps.pop();
    this.#fields.pop();
  }

  #separate(): void {
    this.#commas += 1;
    if (this.#commas > this.#maxMembers)
      throw refused(
        `has more than ${Math.floor(this.#maxMembers)} members, the limit of this server for such a body.`,
      );
    const last = this.#steps.length - 1;
    const step = this.#steps[last];
    if (typeof step === 'number') this.#steps[last] = step + 1;
  }

  #name(): void {
    if (this.#text.length > maxNameChars)
      throw refused(`has a member name of more than ${maxNameChars} characters, the limit of this server.`);
    this.#names.add(this.#text);
    if (this.#names.size > maxNames) throw refused(`has more than ${maxNames} different member names.`);
    const last = this.#steps.length - 1;
    const fields = (this.#fields[last] ?? 0) + 1;
    if (fields > this.#maxFields) throw tooManyFields(this.#maxFields, pointerOf(this.#steps.slice(0, last)));
    this.#fields[last] = fields;
    if (last >= 0) this.#steps[last] = this.#text;
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
