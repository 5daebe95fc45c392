/** Nothing that is sent here needs to be nested nearly this deep, and nothing in the sandbox runs out of stack at it. */
export const deepest = 1000;

/** Whether JSON text is nested deeper than that. */
export function isTooDeep(text: string): boolean {
  // So many brackets that open, and close again, take at least twice as many characters.
  return text.length > 2 * deepest && depth(text) > deepest;
}

/** How deep brackets nest in JSON text, whatever they mean; strings do not count. */
function depth(text: string): number {
  let level = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) most = Math.max(most, (level += 1));
    else if (code === 93 || code === 125) level -= 1;
  }
  return most;
}
