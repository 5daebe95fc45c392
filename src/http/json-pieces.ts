/** Characters of a piece, more or less: a millisecond's work. */
const pieceLength = 16_384;

/** A list or an object that is being written. */
interface Open {
  readonly members: object;
  /** Of an object; null for a list. */
  readonly names: readonly string[] | null;
  at: number;
  isEmpty: boolean;
}

/** Writes plain data as JSON.stringify does, piece by piece, so that others need not wait for the whole. */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  const open: Open[] = [];
  let next: { readonly value: unknown } | null = { value };
  let text = '';
  for (;;) {
    if (next !== null) {
      const { value: one }: { readonly value: unknown } = next;
      next = null;
      if (typeof one === 'object' && one !== null) {
        const isList = Array.isArray(one);
        open.push({ members: one, names: isList ? null : Object.keys(one), at: 0, isEmpty: true });
        text += isList ? '[' : '{';
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
      text += innermost.names === null ? ']' : '}';
      open.pop();
    } else {
      text += innermost.isEmpty ? '' : ',';
      if (innermost.names !== null) text += `${JSON.stringify(innermost.names[innermost.at - 1])}:`;
      innermost.isEmpty = false;
    }
  }
  yield text;
}

/** The next member to be written; null behind the last one. */
function nextOf(open: Open): { readonly value: unknown } | null {
  const { members, names } = open;
  if (names === null) {
    // A list has no names.
    const list = members as readonly unknown[];
    return open.at < list.length ? { value: list[open.at++] } : null;
  }
  // What is written has been made from JSON, or to become such.
  const byName = members as Readonly<Record<string, unknown>>;
  while (open.at < names.length) {
    const one = byName[names[open.at++] ?? ''];
    if (one !== undefined) return { value: one };
  }
  return null;
}

function* longText(text: string): Generator<string, void, void> {
  yield '"';
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + pieceLength);
    // Both halves of a character stay together, else each would be written as an escape.
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}
