/** The number of colors in the style sheet. */
const tints = 6;

/** Returns the class of a color for a name; it is the same in every sandbox. */
export function tintOf(name: string): string {
  const sum = name.split('').reduce((before, unit) => (before * 31 + unit.charCodeAt(0)) % 9973, 1);
  return `tint-${sum % tints}`;
}
