/** A time relative to the sandbox's beginning, such as "now-P3DT2H". */
const relativeTime = /^now([+-])P(?=\d|T\d)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

export function isRelativeTime(value: unknown): value is string {
  return typeof value === 'string' && relativeTime.test(value);
}

/** Returns the offset of a relative time in milliseconds. Null if the text is not a relative time. */
export function relativeMilliseconds(text: string): number | null {
  const parts = relativeTime.exec(text);
  if (parts === null) return null;
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const length = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -1 : 1) * length * 1000;
}
