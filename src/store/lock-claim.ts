import { lstatSync, readFileSync } from 'node:fs';
import { isObject } from '../base/is-object.ts';

/** The content of a lock file, with which a server shows that it runs. */
export interface Claim {
  readonly owner: string;
  readonly token: string;
  /** Servers with the same value can see each other's sockets. */
  readonly machine: string;
  /** The address of its socket. */
  readonly address: string;
  /** The address of the socket that all servers of the folder find; older versions do not name it. */
  readonly register?: string;
  /** Grows while the holder runs. */
  readonly beat: number;
}

/**
 * Returns the claim in a lock file; null if it is incomplete. Throws an error if the file is a link, or of another
 * program.
 */
export function readClaim(file: string): Claim | null | 'absent' {
  try {
    const entry = lstatSync(file);
    // Reading from a pipe waits for a writer, which would block the process.
    if (entry.isFIFO()) return null;
    if (entry.isSymbolicLink()) throw new Error(`its lock file ${file} is a link. Delete the link`);
    const text = readFileSync(file, 'utf8');
    if (!isBegun(text))
      throw new Error(`its lock file ${file} has content of another program. Move that file away`);
    const found: unknown = JSON.parse(text);
    return isClaim(found) ? found : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
    throw error;
  }
}

/** Whether a text can be the beginning of a claim. A power failure may leave zeros. */
function isBegun(text: string): boolean {
  const start = text.replace(/\0+$/, '').trimEnd();
  return start.startsWith(claimStart) || claimStart.startsWith(start);
}

/** How every claim begins. */
const claimStart = '{"owner":';

/** Only this program creates files with this name, so its token is enough. */
function isClaim(found: unknown): found is Claim {
  return isObject(found) && typeof found['token'] === 'string';
}
