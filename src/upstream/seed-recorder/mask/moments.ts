const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Returns a time in the format of seeds, converted from other formats; undefined if it cannot be read. */
export function moment(text: string): string | undefined {
  const milliseconds = /^\d{13}$/.test(text) ? Number(text) : /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  const iso = new Date(milliseconds).toISOString();
  // Years with more than four digits.
  if (!written.test(iso)) return undefined;
  return written.test(text) && text.slice(0, 19) === iso.slice(0, 19) ? text : iso;
}

/** Whether a text looks like an enum value (`CcFailed`, `percent-off`, `courses:read`) and not like personal data. */
export function isConstant(text: string): boolean {
  return text.length <= 40 && /^[A-Za-z]+(?:[-_.:][A-Za-z]+)*$/.test(text);
}
