const plainName = /^must (?:match \^\[a-z0-9-\]|be 1 to \d+ of a-z, 0-9 and dash)/;

/** Returns a violation in words for people who do not read regular expressions. */
export function plainWords(message: string): string {
  return plainName.test(message) ? 'Use a–z, 0–9 and hyphens, at most 64 characters.' : message;
}
