/** Returns whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an object whose content is its fields, unlike a Map or a Date. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) && ['[object Object]', '[object Module]'].includes(Object.prototype.toString.call(value))
  );
}

/** Returns the value of a field of an object, whatever its type names. */
export function fieldOf(object: object, field: string): unknown {
  // Every field that an object has is of some type.
  return (object as Readonly<Record<string, unknown>>)[field];
}
