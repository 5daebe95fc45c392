import { readFileSync } from 'node:fs';

/**
 * Returns how many file descriptors the system lets this process have; null if there is no limit, or if the
 * system does not report it.
 */
export function descriptorLimit(): number | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    // Only Linux has this file.
    return null;
  }
}
