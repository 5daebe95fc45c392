const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time as seeds hold it: kept where it is written so, rewritten from other formats; undefined where it cannot be read. */
export function moment(text: string): string | undefined {
  const milliseconds = /^\d{13}$/.test(text) ? Number(text) : /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  const iso = new Date(milliseconds).toISOString();
  // Years that take more than four digits.
  if (!written.test(iso)) return undefined;
  return written.test(text) && text.slice(0, 19) === iso.slice(0, 19) ? text : iso;
}

/** Whether a text looks like a value of an enumeration (`CcFailed`, `percent-off`, `courses:read`) and not like something about somebody. */
export function isConstant(text: string): boolean {
  return text.length <= 40 && /^[A-Za-z]+(?:[-_.:][A-Za-z]+)*$/.test(text);
}
