const units = [
  ['day', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Returns a duration in its two largest units, such as "2 days 3 h". */
export function durationText(seconds: number): string {
  let rest = Math.round(seconds);
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count === 0) return [];
    return [`${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`];
  });
  return parts.slice(0, 2).join(' ');
}
