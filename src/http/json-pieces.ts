import { fieldOf } from '../base/is-object.ts';
import { LazyList } from '../base/lazy-list.ts';
import { textPieces } from './text-pieces.ts';

/** The approximate length of a piece in characters, which takes about a millisecond. */
const pieceLength = 16_384;

/** A list or an object that is being written. */
interface Open {
  /** The fields of an object, in order; null for a list. */
  readonly fields: object | null;
  /** The members of a list, or the names of the fields. */
  readonly rest: Iterator<unknown>;
  isEmpty: boolean;
}

/**
 * Writes plain data like JSON.stringify, but in pieces, so that other requests can be processed in between.
 */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  const open: Open[] = [];
  let next: Member | null = { name: null, value };
  let text = '';
  for (;;) {
    if (next !== null) {
      const { value: one }: Member = next;
      next = null;
      if (typeof one === 'object' && one !== null) {
        open.push(opened(one));
        text += open.at(-1)?.fields === null ? '[' : '{';
      } else if (typeof one === 'string' && one.length > pieceLength) {
        yield text;
        text = '';
        yield* longText(one);
      } else text += JSON.stringify(one) ?? 'null';
    }
    if (text.length >= pieceLength) {
      yield text;
      text = '';
    }
    const innermost = open.at(-1);
    if (innermost === undefined) break;
    next = nextOf(innermost);
    if (next === null) {
      text += innermost.fields === null ? ']' : '}';
      open.pop();
    } else {
      text += innermost.isEmpty ? '' : ',';
      if (next.name !== null) text += `${JSON.stringify(next.name)}:`;
      innermost.isEmpty = false;
    }
  }
  yield text;
}

function opened(value: object): Open {
  if (Array.isArray(value) || value instanceof LazyList)
    return { fields: null, rest: value[Symbol.iterator](), isEmpty: true };
  return { fields: value, rest: Object.keys(value).values(), isEmpty: true };
}

/** A member of a list, or a field of an object. */
interface Member {
  readonly name: string | null;
  readonly value: unknown;
}

/** Returns the next member to write, or null after the last one. */
function nextOf({ fields, rest }: Open): Member | null {
  for (let step = rest.next(); step.done !== true; step = rest.next()) {
    if (fields === null) return { name: null, value: step.value };
    const name = String(step.value);
    const value = fieldOf(fields, name);
    if (value !== undefined) return { name, value };
  }
  return null;
}

function* longText(text: string): Generator<string, void, void> {
  yield '"';
  for (const piece of textPieces(text, pieceLength)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}
