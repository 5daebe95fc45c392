/** The contrast that WCAG requires of text. */
const minContrast = 4.5;

/** How much darker each step is, until white text is readable. */
const step = 0.94;

/**
 * Returns the color of a school, as # and six hexadecimal digits, or as dark a shade of it as white text needs; null if
 * it is not a color.
 */
export function behindWhite(color: string | undefined): string | null {
  const digits = /^#([\da-f]{6})$/i.exec(color ?? '')?.[1];
  if (digits === undefined) return null;
  let channels = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  while (contrastWithWhite(channels) < minContrast) channels = channels.map((one) => Math.floor(one * step));
  return `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast of a color with white, from 1 to 21, as WCAG defines it. */
function contrastWithWhite(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
