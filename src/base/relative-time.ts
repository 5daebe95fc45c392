/** "now-P3DT2H": a moment relative to the sandbox's beginning. */
const relativeTime = /^now([+-])P(?=\d|T\d)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

export function isRelativeTime(value: unknown): value is string {
  return typeof value === 'string' && relativeTime.test(value);
}

/** How far from now a relative time is, in milliseconds; null where the text is none. */
export function relativeMilliseconds(text: string): number | null {
  const parts = relativeTime.exec(text);
  if (parts === null) return null;
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const length = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -1 : 1) * length * 1000;
}
