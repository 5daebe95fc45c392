import { replacement } from '../key-mask/replaced.ts';

/** The fields whose values the sandbox assigns. Another sandbox may assign others. */
const assigned: ReadonlySet<string> = new Set([
  'serviceInstructorId',
  'associatedServiceUserId',
  'clearkeyDecryptionKeyInHex',
]);

/**
 * Pairs of values that the two sides assigned for the same purpose. The first occurrence on both sides pairs
 * them: from then on, the one stands for the other.
 */
export class Bindings {
  readonly #byRecorded = new Map<string, string>();
  readonly #replayed = new Set<string>();
  /** Parts of texts that always stand for others: addresses, and the beginnings of keys. */
  readonly #fixed: readonly (readonly [recorded: string, replayed: string])[];

  constructor(fixed: readonly (readonly [recorded: string, replayed: string])[]) {
    this.#fixed = fixed.filter(([recorded, replayed]) => recorded !== '' && recorded !== replayed);
  }

  /** Returns a recorded text as the replay would have it. */
  translate(text: string, more: readonly (readonly [recorded: string, replayed: string])[] = []): string {
    let translated = text;
    for (const [recorded, replayed] of [...this.#fixed, ...more, ...this.#byRecorded])
      if (recorded !== replayed) translated = translated.replaceAll(recorded, replayed);
    return translated;
  }

  /** Whether two values of a field may stand for each other. Binds them if neither is bound. */
  bind(field: string, recorded: string, replayed: string): boolean {
    const known = this.#byRecorded.get(recorded);
    if (known !== undefined) return known === replayed;
    if (!assigned.has(field) || this.#replayed.has(replayed) || recorded === '' || replayed === '')
      return false;
    this.#byRecorded.set(recorded, replayed);
    this.#replayed.add(replayed);
    return true;
  }
}

/** Returns a text without signatures, which each sandbox makes with its own secret. */
export function withoutSignatures(text: string): string {
  return text.replaceAll(/\b((?:signature|sig|token)=)[^&"\s]+/gi, '$1…');
}

/** Whether a recorded text is a replayed one in which a proxy has masked parts, which cannot be compared. */
export function isMaskOf(recorded: string, replayed: string): boolean {
  const [first = '', ...rest] = recorded.split(replacement);
  const last = rest.pop();
  if (last === undefined || !replayed.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const start = replayed.indexOf(part, at);
    if (start < 0) return false;
    at = start + part.length;
  }
  return replayed.length - last.length >= at && replayed.endsWith(last);
}

/** Returns a text that is not JSON, such as a part of it, without signatures and assigned values. */
export function withoutAssigned(text: string): string {
  return withoutSignatures(text).replaceAll(/"(\w+)":\s*"[^"]*/g, (pair, field: string) =>
    assigned.has(field) ? `"${field}":"…` : pair,
  );
}
