import { isObject } from '../parts/is-object.ts';

/** The demo of this browser. */
export interface Progress {
  readonly sandbox: string;
  /** When each step was done, as ISO times by step. */
  readonly done: Readonly<Record<string, string>>;
}

const place = 'guided-demo';

/** Returns the last demo of this browser, or null. */
export function readProgress(): Progress | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? 'null');
    if (!isObject(stored) || typeof stored['sandbox'] !== 'string' || !isObject(stored['done'])) return null;
    const done = Object.entries(stored['done']).flatMap(([name, at]) =>
      typeof at === 'string' ? [[name, at] as const] : [],
    );
    return { sandbox: stored['sandbox'], done: Object.fromEntries(done) };
  } catch {
    // The browser may forbid it, or another program wrote it.
    return null;
  }
}

export function keepProgress(progress: Progress): void {
  try {
    localStorage.setItem(place, JSON.stringify(progress));
  } catch {
    // Without it, only a reload forgets which steps are done.
  }
}
