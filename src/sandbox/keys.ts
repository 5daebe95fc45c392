/** The format of an API key, for messages. */
export const keyForm = 'sbx_<sandbox>_<school>';

const form = /^sbx_([a-z0-9-]{1,64})_([a-z0-9-]{1,64})(?:_([a-z0-9-]{1,64}))?$/;

/**
 * Returns whether a text can be the id of a sandbox, which is a part of its keys, or the name of a snapshot.
 */
export function isPlainName(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text);
}

/** Returns the key of a school in a sandbox. */
export function keyOf(sandboxId: string, slug: string): string {
  return `sbx_${sandboxId}_${slug}`;
}

/** The parts of an API key. */
export interface ParsedKey {
  readonly sandboxId: string;
  readonly slug: string;
  /** Additional keys of a school end with a label. */
  readonly label: string | null;
}

/** Parses an API key. Null if it does not have the format. */
export function parseKey(key: string): ParsedKey | null {
  const [, sandboxId, slug, label] = form.exec(key) ?? [];
  return sandboxId === undefined || slug === undefined ? null : { sandboxId, slug, label: label ?? null };
}

/** Matches every key in a text, also if somebody has changed it to capital letters. */
const anyKey = /sbx_[a-z0-9-]{1,64}_[a-z0-9-]{1,64}(?:_[a-z0-9-]{1,64})?/gi;

/** Returns whether a text contains a key. */
export function holdsKey(text: string): boolean {
  return text.search(anyKey) >= 0;
}

/** Returns the first key in a text, or null. */
export function firstKey(text: string): string | null {
  return text.match(anyKey)?.[0] ?? null;
}

/** Shortens every key in a text. */
export function withoutKeys(text: string): string {
  return text.replaceAll(anyKey, shortened);
}

/** Shortens a key for display and storage: enough is left to recognize it, but not to use it. */
export function shortened(key: string): string {
  return key.length <= 12 ? `${key.slice(0, 2)}…` : `${key.slice(0, 8)}…${key.slice(-2)}`;
}
