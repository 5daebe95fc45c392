/** Colors of text in a terminal, with their codes. */
const codes = { red: 31, green: 32, yellow: 33, magenta: 35, dim: 2 } as const;

export type TerminalColor = keyof typeof codes;

/** Colors a text, or returns it as it is. */
export type Paint = (text: string, color: TerminalColor) => string;

/** Returns the function that colors text for an output that shows colors, or does not. */
export function painter(hasColors: boolean): Paint {
  return hasColors ? (text, color) => `\u001B[${codes[color]}m${text}\u001B[0m` : (text) => text;
}

/**
 * Returns whether an output shows colors: it is a terminal that knows them, and its user has not turned them
 * off (no-color.org).
 */
export function showsColors(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
}
