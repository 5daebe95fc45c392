const units = [
  ['day', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Returns a duration in words, such as "1 hour" or "90 minutes", if it is a whole number of them. */
export function plainDuration(seconds: number): string {
  const plain = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const [name, size] = plain.find(([, each]) => seconds >= each && seconds % each === 0) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

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
