import { TokenParser } from '@streamparser/json';
import { defaultMemoryBytes } from '../base/amounts.ts';
import { findExcess } from '../base/json-depth.ts';
import { decodedText, firstInvalidByte, notUtf8, withoutMark } from '../base/utf8.ts';
import { SandboxError } from '../base/errors.ts';
import { defaultLimits } from '../base/server-limits.ts';
import { jsonErrorIn } from '../base/json-syntax.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { NumberTokenizer } from './number-tokenizer.ts';
import { refused, tooDeep, tooManyFields, TokenWatcher } from './token-watcher.ts';

/** Bodies up to this size, in bytes, are parsed at once, which takes a few milliseconds. */
const shortLength = 262_144;

/** The number of bytes of a longer body that are parsed without a pause. */
const pieceLength = 16_384;

/**
 * The minimum average size of a member with its name, in bytes. Only a body that is meant to exhaust memory
 * has smaller ones.
 */
const bytesOfMember = 16;
const fewMembers = 1_000_000;

/** The memory that the smallest member occupies, in bytes. */
const memoryOfMember = 64;

/**
 * Reads UTF-8 JSON with at most `maxValues` values (null for an import), and at most `maxFields` fields in one object.
 * Throws SandboxError if it is not valid JSON.
 */
export function* readJson(
  body: Buffer,
  maxValues: number | null,
  maxFields = defaultLimits.objectFields,
): SlicedWork<unknown> {
  const invalidByte = yield* firstInvalidByte(body);
  if (invalidByte !== null) throw refused(notUtf8(invalidByte));
  return body.length <= shortLength
    ? yield* readShort(withoutMark(body.toString('utf8')), maxFields)
    : yield* readLongText(body, maxValues, maxFields);
}

function* readShort(text: string, maxFields: number): SlicedWork<unknown> {
  const excess = yield* findExcess(text, { jsonValues: Infinity, objectFields: maxFields });
  if (excess !== null) throw excess === 'depth' ? tooDeep() : tooManyFields(maxFields);
  try {
    const sent: unknown = JSON.parse(text);
    return sent;
  } catch {
    throw yield* noJson(text);
  }
}

function* readLongText(body: Buffer, maxValues: number | null, maxFields: number): SlicedWork<unknown> {
  const contents: unknown[] = [];
  const maxMembers =
    maxValues ??
    Math.min(Math.max(fewMembers, body.length / bytesOfMember), defaultMemoryBytes(512) / memoryOfMember);
  const watcher = new TokenWatcher(maxMembers, maxFields);
  const parser = parserOf((value) => void contents.push(value), watcher);
  for (let from = 0; from < body.length; from += pieceLength) {
    try {
      parser.write(body.subarray(from, from + pieceLength));
    } catch (error) {
      throw error instanceof SandboxError ? error : yield* noJson(yield* decodedText(body));
    }
    if (parser.hasLongNumber) throw watcher.longNumber();
    yield;
  }
  if (!isEnded(parser) || contents.length === 0) throw yield* noJson(yield* decodedText(body));
  return contents[0];
}

function parserOf(take: (value: unknown) => void, watcher: TokenWatcher): NumberTokenizer {
  const parser = new NumberTokenizer(pieceLength);
  const values = new TokenParser({ paths: ['$'], keepStack: true });
  parser.onToken = (token) => {
    watcher.check(token);
    if (token.partial !== true) values.write(token);
  };
  parser.onEnd = () => {
    if (!values.isEnded) values.end();
  };
  values.onValue = ({ value }) => take(value);
  values.onEnd = () => {
    if (!parser.isEnded) parser.end();
  };
  return parser;
}

/** Returns whether the JSON is complete. Only a number can end at the end of the body. */
function isEnded(parser: NumberTokenizer): boolean {
  if (parser.isEnded) return true;
  try {
    parser.end();
    return true;
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    return false;
  }
}

function* noJson(text: string): SlicedWork<SandboxError> {
  const problem = yield* jsonErrorIn(withoutMark(text));
  return new SandboxError(`The body ${problem ?? 'is not JSON.'}`);
}
