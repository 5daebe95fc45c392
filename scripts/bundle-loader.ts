/**
 * Replaces `import()` between the pieces of the built program. Node never forgets some failures: a module
 * whose dependency was not found, or (Node 20) that was read while there was no file descriptor left, fails
 * forever, even after the cause is gone. So the pieces that a piece needs are loaded before it, one at a
 * time, and each only when its file can be opened. Then a failure is one that the next attempt does not meet
 * again.
 */
import { closeSync, openSync } from 'node:fs';

/**
 * The pieces that each piece needs and that no start has loaded, by their files; those that others need come
 * first. Filled in by the build.
 */
declare const pieces: Readonly<Record<string, readonly string[]>>;

/** Node may have several files open at once while it loads one. */
const descriptors = 8;

const loaded = new Map<string, Promise<unknown>>();

export async function load(file: string): Promise<unknown> {
  for (const needed of pieces[file] ?? []) {
    const isNew = !loaded.has(needed);
    await loadOne(needed);
    // Other clients wait for one piece at most.
    if (isNew) await new Promise((go) => setImmediate(go));
  }
  return loadOne(file);
}

function loadOne(file: string): Promise<unknown> {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const loading = importOne(file);
  loaded.set(file, loading);
  loading.catch(() => loaded.delete(file));
  return loading;
}

async function importOne(file: string): Promise<unknown> {
  const url = new URL(file, import.meta.url);
  const open: number[] = [];
  try {
    while (open.length < descriptors) open.push(openSync(url, 'r'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
  // In the same tick as the check.
  return import(url.href);
}
