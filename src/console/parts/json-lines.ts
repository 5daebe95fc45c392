/** One line of a JSON text, and where what begins in it stands. */
export interface JsonLine {
  /** A JSON Pointer; null for a line that only closes. */
  readonly pointer: string | null;
  readonly text: string;
}

/** A value as lines, each with its place. */
export function jsonLines(value: unknown, pointer = '', name = '', indent = '', end = ''): readonly JsonLine[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, text: `${indent}${name}${JSON.stringify(value)}${end}` }];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Object.entries(value);
  if (members.length === 0) return [{ pointer, text: `${indent}${name}${open}${close}${end}` }];
  const inner = members.flatMap(([key, member]: [string, unknown], at) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const below = pointerBelow(pointer, key);
    return jsonLines(member, below, label, `${indent}  `, at < members.length - 1 ? ',' : '');
  });
  return [{ pointer, text: `${indent}${name}${open}` }, ...inner, { pointer: null, text: `${indent}${close}${end}` }];
}

/** The place of a member of what stands at a place. */
export function pointerBelow(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The number of the line that a pointer leads to, the last one where several do; where there is nothing, of the line that it would be in. */
export function lineAt(lines: readonly JsonLine[], pointer: string): number {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    const found = lines.findLastIndex((line) => line.pointer === place);
    if (found >= 0 || place === '') return Math.max(found, 0);
  }
}
