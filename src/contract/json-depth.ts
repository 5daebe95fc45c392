/** Nothing that is sent here needs to be nested nearly this deep, and nothing in the sandbox runs out of stack at it. */
export const deepest = 1000;

/** Whether JSON text is nested deeper than that. */
export function isTooDeep(text: string): boolean {
  // So many brackets that open, and close again, take at least twice as many characters.
  return text.length > 2 * deepest && extent(text).depth > deepest;
}

/** Whether JSON text is nested deeper than that, or has more values (objects, lists and their members) than `most`. */
export function excessOf(text: string, most: number): 'depth' | 'values' | null {
  // So much takes more characters than that.
  if (text.length <= 2 * deepest && text.length <= most) return null;
  const { depth, values } = extent(text);
  if (depth > deepest) return 'depth';
  return values > most ? 'values' : null;
}

/** How deep brackets nest in JSON text, whatever they mean, and how many values it has; strings do not count. */
function extent(text: string): { readonly depth: number; readonly values: number } {
  let level = 0;
  let values = 1;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 44) values += 1;
    else if (code === 91 || code === 123) {
      values += 1;
      level += 1;
      if (level > most) most = level;
    } else if (code === 93 || code === 125) level -= 1;
  }
  return { depth: most, values };
}
