/** Freezes a value of plain data deeply. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Plain data has no inherited fields, so `for … in` is safe; it allocates no list, unlike Object.entries.
  for (const name in value) if (typeof value[name] === 'object') deepFreeze(value[name]);
  return Object.freeze(value);
}
