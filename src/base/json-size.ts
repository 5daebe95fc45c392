/** The size of a JSON value. */
export interface JsonSize {
  /** Texts, numbers, lists, objects and so on, including the value itself. */
  readonly values: number;
  /** Characters in its texts and field names. */
  readonly characters: number;
}

/** Measures a value of plain data. Stops at the first bound that it exceeds. */
export function sizeOf(value: unknown, bound: JsonSize): JsonSize {
  let values = 0;
  let characters = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && values <= bound.values && characters <= bound.characters) {
    const one = left.pop();
    values += 1;
    if (typeof one === 'string') characters += one.length;
    else if (Array.isArray(one)) {
      if (one.length > bound.values) return { values: values + one.length, characters };
      for (const member of one) left.push(member);
    } else if (typeof one === 'object' && one !== null) {
      for (const [name, member] of Object.entries(one)) {
        characters += name.length;
        left.push(member);
      }
    }
  }
  return { values, characters };
}
