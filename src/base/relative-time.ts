/** A time relative to the sandbox's beginning, such as "now-P3DT2H". Seconds can have a fraction. */
const relativeTime = /^now([+-])P(?=\d|T\d)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

export function isRelativeTime(value: unknown): value is string {
  return typeof value === 'string' && relativeTime.test(value);
}

/** Returns the offset of a relative time in milliseconds. Null if the text is not a relative time. */
export function relativeMilliseconds(text: string): number | null {
  const parts = relativeTime.exec(text);
  if (parts === null) return null;
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const length = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -1 : 1) * Math.round(length * 1000);
}

/** Returns an offset in milliseconds as a relative time, such as "now+P14DT30M". */
export function relativeTimeOf(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  const days = Math.floor(length / 86_400_000);
  const hours = Math.floor(length / 3_600_000) % 24;
  const minutes = Math.floor(length / 60_000) % 60;
  const seconds = (length % 60_000) / 1000;
  const ofDay = `${part(hours, 'H')}${part(minutes, 'M')}${part(seconds, 'S')}`;
  const duration = `${part(days, 'D')}${ofDay === '' ? '' : `T${ofDay}`}`;
  return `now${milliseconds < 0 ? '-' : '+'}P${duration === '' ? 'T0S' : duration}`;
}

function part(amount: number, unit: string): string {
  return amount === 0 ? '' : `${amount}${unit}`;
}
