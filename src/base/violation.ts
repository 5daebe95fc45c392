import { andMore } from './lists.ts';

/** One error in a request. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the request body. */
  readonly pointer: string;
  /** What was expected, what was received, and what to do. */
  readonly message: string;
}

/**
 * Returns a violation as a text that starts with its pointer: "/data must be an array …", or a message that is a
 * sentence of its own after a colon. `whole` names the document, for a violation of the document itself.
 */
export function sentence({ pointer, message }: Violation, whole = 'The body'): string {
  return `${pointer === '' ? whole : pointer}${/^[A-Z]/.test(message) ? ':' : ''} ${message}`;
}

/** The maximum number of violations in a message: a hostile request can have any number. */
const maxListed = 50;

/**
 * Returns violations as one text that ends with the number of the others. `unlisted` counts those that are
 * not in `violations`.
 */
export function paragraph(violations: readonly Violation[], unlisted = 0, whole = 'The body'): string {
  const first = violations.slice(0, maxListed).map((violation) => sentence(violation, whole));
  const rest = violations.length - first.length + unlisted;
  const text = first.length === 1 ? first[0] : first.map((line, index) => `(${index + 1}) ${line}`).join(' ');
  return `${text}${andMore(rest)}`;
}

/** Shortens a text of the client for a message. It may be as long as a body. */
export function shortText(text: string, max = 100): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}

const maxPointerChars = 1000;
const maxMessageChars = 2000;

/** Shortens a violation, because names in a request may be long. */
export function shortViolation({ pointer, message }: Violation): Violation {
  return { pointer: shortText(pointer, maxPointerChars), message: shortText(message, maxMessageChars) };
}

const maxShownChars = 60;

const maxQuotedChars = 200;

/** Quotes a text for a message, and shortens it if it is long. */
export function quoted(text: string): string {
  return text.length <= maxQuotedChars
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, maxQuotedChars))}… (${text.length} characters)`;
}

/** Describes a value for a message: its type, and the value, shortened if it is long. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object') {
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
    return kind === 'Object' ? 'an object' : `an object (${kind})`;
  }
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  // JSON cannot represent infinity, NaN or a bigint.
  if (typeof value === 'number') return `the number ${shownNumber(value)}`;
  const text =
    typeof value === 'bigint'
      ? String(value)
      : JSON.stringify(typeof value === 'string' ? value.slice(0, maxShownChars + 1) : value);
  return `the ${typeof value} ${text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text}`;
}

/** Returns a number for a message. A larger one than JSON readers keep exactly can differ from what was sent. */
export function shownNumber(value: number): string {
  const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value);
  return isExact
    ? String(value)
    : `${value} (rounded: JSON readers keep only numbers up to ±${Number.MAX_SAFE_INTEGER} exactly)`;
}

const maxStepChars = 500;

/** Returns a JSON Pointer extended by one step, which is shortened if it is long. */
export function pointerTo(base: string, step: string | number): string {
  return `${base}/${shortText(String(step), maxStepChars).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Returns the JSON Pointer with these steps. Beyond 1,000 characters, it has `…` in place of the steps in the
 * middle: the names around a value can together be as long as a body.
 */
export function pointerOf(steps: readonly (string | number)[]): string {
  const half = maxPointerChars / 2;
  let head = '';
  let tail = '';
  let [start, end] = [0, steps.length];
  for (; end > start; end -= 1) {
    const step = pointerTo('', steps[end - 1] ?? '');
    if (tail !== '' && tail.length + step.length > half) break;
    tail = `${step}${tail}`;
  }
  for (; start < end; start += 1) {
    const step = pointerTo('', steps[start] ?? '');
    if (head.length + step.length > half) break;
    head += step;
  }
  return start === end ? `${head}${tail}` : `${head}/…${tail}`;
}

/** Returns the steps of a JSON Pointer, or a plain name as its only step. */
export function stepsOf(path: string): readonly string[] {
  if (!path.startsWith('/')) return [path];
  const steps = path.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
