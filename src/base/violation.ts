/** One thing that is wrong with a request. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the request body. */
  readonly pointer: string;
  /** What was expected, what came, and what to do. */
  readonly message: string;
}

/** The same with the pointer put first: how violations are shown in running text. `whole` is what the pointer leads into. */
export function sentence({ pointer, message }: Violation, whole = 'The body'): string {
  return `${pointer === '' ? whole : pointer} ${message}`;
}

/** Violations told one by one; there is no end to what a hostile request can get wrong. */
const told = 50;

/** All violations in one text, with the number of those that are not in the list either. */
export function paragraph(violations: readonly Violation[], untold = 0, whole = 'The body'): string {
  const first = violations.slice(0, told).map((violation) => sentence(violation, whole));
  const rest = violations.length - first.length + untold;
  const text = first.length === 1 ? first[0] : first.map((line, index) => `(${index + 1}) ${line}`).join(' ');
  return rest > 0 ? `${text} And ${rest} more.` : `${text}`;
}

const shown = 60;

/** Longer values are cut in messages: nobody reads one that is as long as a body can be. In characters. */
const longestQuoted = 200;

/** A text as messages name it: in quotes, and cut if it is long. */
export function quoted(text: string): string {
  return text.length <= longestQuoted
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, longestQuoted))}… (${text.length} characters)`;
}

/** A value as it is named in a message: its kind, and the value where it is short. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  // JSON has no text for numbers beyond all numbers, and none for a bigint.
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const text = isNumber ? String(value) : JSON.stringify(typeof value === 'string' ? value.slice(0, shown + 1) : value);
  return `the ${typeof value} ${text.length > shown ? `${text.slice(0, shown)}…` : text}`;
}

/** A JSON Pointer with one more step. */
export function pointerTo(base: string, step: string | number): string {
  return `${base}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The steps of a name, or of a JSON Pointer. */
export function stepsOf(path: string): readonly string[] {
  if (!path.startsWith('/')) return [path];
  const steps = path.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
