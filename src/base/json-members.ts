import { parseKnown } from './parse-known.ts';

/** Returns the name in front of the value of a field. */
export function nameIn(before: string): string {
  // It begins with the bracket of an object.
  const [name] = Object.keys(parseKnown<object>(`{${before}null}`));
  if (name === undefined) throw new SyntaxError('A field without a name.');
  return name;
}

/** Sets a field as `JSON.parse` does: any name is a field of the object itself. */
export function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** Returns whether a text is only white space of JSON. */
export function isBlank(text: string): boolean {
  return !/[^ \t\n\r]/.test(text);
}

/** Returns whether a text is a colon, with white space of JSON around it. */
export function isColon(text: string): boolean {
  const colon = text.indexOf(':');
  return colon >= 0 && isBlank(text.slice(0, colon)) && isBlank(text.slice(colon + 1));
}

/** Returns the index of the next occurrence, or that of the end of the text. */
export function indexIn(text: string, sought: string, from: number): number {
  const index = text.indexOf(sought, from);
  return index < 0 ? text.length : index;
}
