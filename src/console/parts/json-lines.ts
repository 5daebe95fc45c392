/** One line of formatted JSON. */
export interface JsonLine {
  /** JSON Pointer to the value that begins in the line; null for a line that only closes one. */
  readonly pointer: string | null;
  readonly text: string;
}

/** Formats a value as lines with their pointers. */
export function jsonLines(
  value: unknown,
  pointer = '',
  name = '',
  indent = '',
  end = '',
): readonly JsonLine[] {
  if (typeof value !== 'object' || value === null)
    return [{ pointer, text: `${indent}${name}${JSON.stringify(value)}${end}` }];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Object.entries(value);
  if (members.length === 0) return [{ pointer, text: `${indent}${name}${open}${close}${end}` }];
  const inner = members.flatMap(([key, member]: [string, unknown], at) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const below = pointerBelow(pointer, key);
    return jsonLines(member, below, label, `${indent}  `, at < members.length - 1 ? ',' : '');
  });
  return [
    { pointer, text: `${indent}${name}${open}` },
    ...inner,
    { pointer: null, text: `${indent}${close}${end}` },
  ];
}

/** Returns the pointer to a member. */
export function pointerBelow(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the index of the last line with this pointer, or of the closest parent if no line has it. */
export function lineAt(lines: readonly JsonLine[], pointer: string): number {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    const found = lines.findLastIndex((line) => line.pointer === place);
    if (found >= 0 || place === '') return Math.max(found, 0);
  }
}
