import { messageOf } from '../base/message-of.ts';
import { SandboxError } from '../base/errors.ts';
import { shortText } from '../base/violation.ts';

const maxNameChars = 300;

/** What a user can do about an error of the system. FLAG stands for the flag that names the place. */
const advice: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write there. Change the permissions, or use another FLAG',
  EPERM: 'this user may not read and write there. Change the permissions, or use another FLAG',
  EROFS: 'it is on a read-only file system. Mount it writable, or use another FLAG',
  ENOSPC: 'the disk is full. Free some space, or use another FLAG',
  EDQUOT: 'the quota of the disk is used up. Free some space, or use another FLAG',
  ENAMETOOLONG: 'its name is too long for the file system. Use a shorter FLAG',
  ENOTDIR: 'a part of its path is not a folder. Use another FLAG',
  EEXIST: 'a part of its path is a file. Use another FLAG',
  EISDIR: 'it is a folder. Use another FLAG',
  ENOENT: 'the system does not allow this folder. Use another FLAG',
  ELOOP: 'its path has too many links. Use another FLAG',
};

/** Returns the error of a `--data` that cannot be used. */
export function unusableData(data: string, error: unknown): Error {
  return unusablePlace('--data', data, error);
}

/** Returns the error of a place that cannot be used. It names the flag and the place, and says what to do. */
export function unusablePlace(flag: string, place: string, error: unknown): Error {
  if (!(error instanceof Error) || error instanceof SandboxError) return asError(error);
  const code = systemCodeOf(error);
  const reason = code === null ? undefined : advice[code]?.replace('FLAG', flag);
  const message = shortText(error.message, maxNameChars);
  return new Error(
    `${flag} ${shortText(place, maxNameChars)} cannot be used: ${reason === undefined ? message : `${reason} (${message})`}.`,
    { cause: error },
  );
}

/**
 * Returns the error of a file that cannot be read. `setting` names the setting whose value is its path. The message of
 * the system has the path, which `shown` may hide.
 */
export function unreadableFile(setting: string, shown: string, error: unknown): SandboxError {
  const code = systemCodeOf(error) ?? 'unknown error';
  const reason = (advice[code] ?? 'the system refuses to read it. Use another FLAG').replace('FLAG', 'path');
  const name = shortText(shown, maxNameChars);
  return new SandboxError(
    `${setting} ${name} cannot be read: ${reason.replace('read and write there', 'read it')} (${code}).`,
  );
}

/** Returns why the system refused to write a file, and what to do. */
export function whyNotWritten(error: unknown): string {
  const code = systemCodeOf(error);
  const message = shortText(messageOf(error), maxNameChars);
  const reason = code === null ? undefined : advice[code]?.replace('FLAG', 'path');
  return reason === undefined ? message : `${reason} (${message}).`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Whether the system refused something, such as to open a file, as opposed to a file with the wrong content; if `code`
 * is given, whether it did with this code.
 */
export function isOfSystem(error: unknown, code?: string): boolean {
  const found = systemCodeOf(error);
  return code === undefined ? found !== null : found === code;
}

function systemCodeOf(error: unknown): string | null {
  return codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : null);
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
