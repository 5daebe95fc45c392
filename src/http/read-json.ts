import { JSONParser, TokenType } from '@streamparser/json';
import { defaultMemoryBytes } from '../base/amounts.ts';
import { deepest, isTooDeep } from '../base/json-depth.ts';
import { decodedText, firstInvalidByte, notUtf8, withoutMark } from '../base/utf8.ts';
import { SandboxError, ValidationError } from '../base/errors.ts';
import { jsonErrorIn } from '../base/json-syntax.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

/** Bodies up to this size, in bytes, are parsed at once, which takes a few milliseconds. */
const shortLength = 262_144;

/** The number of bytes of a longer body that are parsed without a pause. */
const pieceLength = 16_384;

/**
 * The maximum number of different member names: an export of labs with data of their own has some ten thousand. Tables
 * of names of this size grow within 15 ms, those of a million would block other requests.
 */
const maxNames = 100_000;

/**
 * The minimum average size of a member with its name, in bytes. Only a body that is meant to exhaust memory
 * has smaller ones.
 */
const bytesOfMember = 16;
const fewMembers = 1_000_000;

/** The memory that the smallest member occupies, in bytes. */
const memoryOfMember = 64;

/**
 * Reads UTF-8 JSON with at most `maxValues` values (null for an import). Throws SandboxError if it is not
 * valid JSON.
 */
export function* readJson(body: Buffer, maxValues: number | null): SlicedWork<unknown> {
  const invalidByte = yield* firstInvalidByte(body);
  if (invalidByte !== null) throw refused(notUtf8(invalidByte));
  return body.length <= shortLength
    ? yield* readShort(withoutMark(body.toString('utf8')))
    : yield* readLongText(body, maxValues);
}

function* readShort(text: string): SlicedWork<unknown> {
  if (isTooDeep(text)) throw tooDeep();
  try {
    const sent: unknown = JSON.parse(text);
    return sent;
  } catch {
    throw yield* noJson(text);
  }
}

function* readLongText(body: Buffer, maxValues: number | null): SlicedWork<unknown> {
  // With buffers, long strings and numbers are assembled from pieces; without, character by character.
  const parser = new JSONParser({
    paths: ['$'],
    keepStack: true,
    stringBufferSize: pieceLength,
    numberBufferSize: 64,
  });
  const contents: unknown[] = [];
  parser.onValue = ({ value }) => void contents.push(value);
  parser.onToken = watcher(
    maxValues ??
      Math.min(Math.max(fewMembers, body.length / bytesOfMember), defaultMemoryBytes(512) / memoryOfMember),
  );
  for (let from = 0; from < body.length; from += pieceLength) {
    try {
      parser.write(body.subarray(from, from + pieceLength));
    } catch (error) {
      throw error instanceof SandboxError ? error : yield* noJson(yield* decodedText(body));
    }
    yield;
  }
  if (!isEnded(parser) || contents.length === 0) throw yield* noJson(yield* decodedText(body));
  return contents[0];
}

/** Returns whether the JSON is complete. Only a number can end at the end of the body. */
function isEnded(parser: JSONParser): boolean {
  if (parser.isEnded) return true;
  try {
    parser.end();
    return true;
  } catch {
    return false;
  }
}

/** Checks the tokens of a body against the limits. */
function watcher(
  maxMembers: number,
): (found: { readonly token: TokenType; readonly value: unknown }) => void {
  const names = new Set<unknown>();
  let depth = 0;
  let commas = 0;
  let text: unknown;
  return ({ token, value }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      depth += 1;
      if (depth > deepest) throw tooDeep();
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    else if (token === TokenType.STRING) text = value;
    else if (token === TokenType.COMMA) {
      commas += 1;
      if (commas > maxMembers)
        throw refused(
          `has more than ${Math.floor(maxMembers)} members, the limit of this server for such a body.`,
        );
    } else if (token === TokenType.COLON) {
      names.add(text);
      if (names.size > maxNames) throw refused(`has more than ${maxNames} different member names.`);
    }
  };
}

function tooDeep(): ValidationError {
  return refused(`is nested more than ${deepest} levels deep.`);
}

function refused(message: string): ValidationError {
  return new ValidationError('The body is invalid.', [{ pointer: '', message }]);
}

function* noJson(text: string): SlicedWork<SandboxError> {
  const problem = yield* jsonErrorIn(withoutMark(text));
  return new SandboxError(`The body ${problem ?? 'is not JSON.'}`);
}
