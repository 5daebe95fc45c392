/** The form of an API key, as messages show it. */
export const keyForm = 'sbx_<sandbox>_<school>';

const form = /^sbx_([a-z0-9-]{1,64})_([a-z0-9-]{1,64})(?:_([a-z0-9-]{1,64}))?$/;

/** Whether a text can be the name of a sandbox, which is a part of its keys; snapshots are named alike. */
export function isPlainName(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text);
}

/** The key of a school in a sandbox. */
export function keyOf(sandboxId: string, slug: string): string {
  return `sbx_${sandboxId}_${slug}`;
}

/** What an API key names: a sandbox, a school in it, and which of the school's keys it is. */
export interface ParsedKey {
  readonly sandboxId: string;
  readonly slug: string;
  /** Further keys of a school have a label at the end. */
  readonly label: string | null;
}

/** The parts of a key, or null where it is not of the form. */
export function parseKey(key: string): ParsedKey | null {
  const [, sandboxId, slug, label] = form.exec(key) ?? [];
  return sandboxId === undefined || slug === undefined ? null : { sandboxId, slug, label: label ?? null };
}

/** Anything in a text that has the form of a key. */
const anyKey = /sbx_[a-z0-9-]{1,64}_[a-z0-9-]{1,64}(?:_[a-z0-9-]{1,64})?/g;

/** Whether a text has the form of a key anywhere in it. */
export function holdsKey(text: string): boolean {
  return text.search(anyKey) >= 0;
}

/** The text with every key in it as it may be shown and kept. */
export function withoutKeys(text: string): string {
  return text.includes('sbx_') ? text.replaceAll(anyKey, shortened) : text;
}

/** The key as it may be shown and kept: enough to recognise it, not enough to use it. */
export function shortened(key: string): string {
  return key.length <= 12 ? `${key.slice(0, 2)}…` : `${key.slice(0, 8)}…${key.slice(-2)}`;
}
