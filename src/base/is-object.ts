/** Returns whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list. `Array.isArray` says nothing about its members. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns whether a value is an object whose content is its fields, unlike a Map or a Date. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) && ['[object Object]', '[object Module]'].includes(Object.prototype.toString.call(value))
  );
}

/**
 * Returns the names of fields that an object has, but not as its own enumerable ones, such as inherited fields and
 * symbols: reading its content ignores them. Of inherited fields that are not enumerable, such as the methods of a
 * class, only the `known` ones count.
 */
export function hiddenFieldsOf(object: object, known: readonly string[]): readonly string[] {
  const visible = new Set(Object.keys(object));
  const hidden = new Set([...Object.getOwnPropertyNames(object), ...known.filter((name) => name in object)]);
  for (const name in object) hidden.add(name);
  return [...[...hidden].filter((name) => !visible.has(name)), ...symbolsOf(object)];
}

/** Returns the symbols of an object and of its prototypes, except for those that the language defines. */
function symbolsOf(object: object | null): readonly string[] {
  if (object === null) return [];
  const own = Object.getOwnPropertySymbols(object).filter((symbol) => isEnumerable.call(object, symbol));
  return [...own.map(String), ...symbolsOf(Reflect.getPrototypeOf(object))];
}

const isEnumerable = Object.prototype.propertyIsEnumerable;

/** Returns the value of a field of an object, whatever its type names. */
export function fieldOf(object: object, field: string): unknown {
  return Reflect.get(object, field);
}
