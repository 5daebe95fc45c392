/** Nothing that is sent here needs to be nested nearly this deep, and nothing in the sandbox runs out of stack at it. */
export const deepest = 1000;

/** Whether JSON text is nested deeper than that. */
export function isTooDeep(text: string): boolean {
  // So many brackets that open, and close again, take at least twice as many characters.
  return text.length > 2 * deepest && extent(text).depth > deepest;
}

/** What JSON text may have at most. */
interface Maximum {
  /** Objects, lists and their members. */
  readonly jsonValues: number;
  /** Fields of one object. */
  readonly objectFields: number;
}

/** Returns what JSON text has too much of; null if it is within the maximum. */
export function excessOf(text: string, { jsonValues, objectFields }: Maximum): 'depth' | keyof Maximum | null {
  // So much takes more characters than that.
  if (text.length <= Math.min(2 * deepest, jsonValues, objectFields)) return null;
  const { depth, values, fields } = extent(text);
  if (depth > deepest) return 'depth';
  if (fields > objectFields) return 'objectFields';
  return values > jsonValues ? 'jsonValues' : null;
}

interface Extent {
  /** How deep brackets nest, whatever they mean. */
  readonly depth: number;
  readonly values: number;
  /** Those of the object that has most. */
  readonly fields: number;
}

/** Measures JSON text without parsing it, up to where it is nested too deep. Strings do not count. */
function extent(text: string): Extent {
  let values = 1;
  let depth = 0;
  let fields = 0;
  /** The fields of each object that is open. */
  const open = [0];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 44) values += 1;
    else if (code === 58) {
      const own = (open.at(-1) ?? 0) + 1;
      open[open.length - 1] = own;
      if (own > fields) fields = own;
    } else if (code === 91 || code === 123) {
      values += 1;
      if (open.push(0) - 1 > depth) depth = open.length - 1;
      if (depth > deepest) break;
    } else if ((code === 93 || code === 125) && open.length > 1) open.pop();
  }
  return { depth, values, fields };
}
