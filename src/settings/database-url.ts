import { isBlank } from '../base/blank.ts';
import type { ValueRule } from './value-rule.ts';

/** Whether `--data` names a database instead of a file or folder. */
export function isDatabaseUrl(data: string): boolean {
  return /^postgres(?:ql)?:/i.test(data);
}

/** The place where a server stores its sandboxes. */
export const dataRule: ValueRule<string> = {
  expected:
    'the path of a file or folder, or the URL of a PostgreSQL database such as postgres://user@db.example/sandboxes',
  accepts: (value): value is string =>
    typeof value === 'string' &&
    !isBlank(value) &&
    !value.includes('\0') &&
    (isDatabaseUrl(value)
      ? URL.canParse(value) && /^[^:]+:\/\//.test(value)
      : !/^[a-z][a-z\d+.-]*:\/\//i.test(value)),
  fromText: (text) => text,
  // A password ends with this character, or is a parameter.
  isSecret: (value) =>
    typeof value === 'string' && (isDatabaseUrl(value) || /:\/\//.test(value)) && /[@?]/.test(value),
};
