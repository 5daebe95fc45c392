import { maxFormChars, textForm } from './text-form.ts';

/** Forms of times, which no placeholder stands for. */
const times: ReadonlySet<string> = new Set(['date-time', 'date-time without time zone', 'date', 'HTTP date']);

/** A UUID, a hexadecimal number, or a long token with digits in it. */
const identifier = /^(?=[^\s/]*\d)[\w.:+=-]{12,}$/;

/** A code such as `NOT_FOUND_V2`. */
const constantName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Returns `time` or `id` if a text looks like one, otherwise null. */
export function markKind(text: string): 'time' | 'id' | null {
  if (text.length > maxFormChars) return null;
  if (times.has(textForm(text))) return 'time';
  // Shorter numbers are codes.
  if (textForm(text) === 'digits' && text.length > 6) return 'id';
  return identifier.test(text) && !constantName.test(text) ? 'id' : null;
}

/** Whether a text is a path or a URL. */
export function isAddress(text: string): boolean {
  return text.length <= maxFormChars && /^(?:https?:\/)?\/\S*$/.test(text);
}

/** Whether a text consists of several words. */
export function isProse(text: string): boolean {
  return /\S\s+\S/.test(text);
}

/** Whether one of two equal refusals has another text in this place. */
export function isVolatile(refusals: readonly { readonly alike: string; readonly text: unknown }[]): boolean {
  const before = new Map<string, unknown>();
  for (const { alike, text } of refusals) {
    if (before.has(alike) && before.get(alike) !== text) return true;
    before.set(alike, text);
  }
  return false;
}
