/** How much a JSON value holds. */
export interface JsonSize {
  /** Texts, numbers, lists, objects and so on, the value itself included. */
  readonly values: number;
  /** Characters of its texts and of the names of its members. */
  readonly characters: number;
}

/** Measures a value of plain data, no further than to the first bound that it exceeds. */
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
