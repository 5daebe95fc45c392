/** The beginning of the names of the snapshots that the console takes before an action. */
const prefix = 'console-undo-';

/** A tab deletes its snapshot when it closes. After this time, in milliseconds, it has failed to do so. */
const maxAgeMs = 12 * 3_600_000;

/** Returns a name that no other tab uses. It begins with the time. */
export function newUndoName(now = Date.now()): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${prefix}${now.toString(36)}-${random.toString(36)}`;
}

/** Whether the console took this snapshot, rather than a person or a program. */
export function isUndoName(name: string): boolean {
  return name.startsWith(prefix);
}

/** Whether this is a snapshot that its tab has left behind. */
export function isLeftBehind(name: string, now = Date.now()): boolean {
  return isUndoName(name) && now - Number.parseInt(name.slice(prefix.length), 36) > maxAgeMs;
}
