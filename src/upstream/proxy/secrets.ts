import { withoutPause, type SlicedWork } from '../../base/sliced-work.ts';
import { TextFinder, type Exception } from '../../base/text-finder.ts';
import type { Violation } from '../../base/violation.ts';
import { keptPart, maxKeptChars } from '../../sandbox/kept-text.ts';
import { holdsKey, parseKey, withoutKeys } from '../../sandbox/keys.ts';
import { isSecretHeader, masked, maskedValue, secretsIn } from '../../sandbox/secrets.ts';
import { ManyForms } from './many-forms.ts';
import {
  beginningOf,
  encodingsOf,
  type Form,
  formsOf,
  keysIn,
  partsOf,
  readingsOf,
  shortestSecret,
} from './secret-forms.ts';
import { unmasked, type SlicedMask } from '../key-mask/key-mask.ts';
import { isKnownHeader, isKnownValue, maxContextChars, publicPlacesOf } from '../key-mask/public-words.ts';
import { KeyMasks } from './key-masks.ts';
import { overlapping, unescaped } from './searched-texts.ts';
import { shortKeyMask } from './short-key.ts';
import { shownKey } from './shown-key.ts';

/** The maximum length of a key of a sandbox, and of an escaped character. */
const maxKeyChars = 200;
const escapedLength = 7;

/** How many characters are searched for a key in a body, once for each of its spellings. */
const maxSearchedChars = 16 * 1024 * 1024;

/** If there are more spellings, they are searched for in one pass. */
const maxTriedForms = 64;

/** Headers that identify a request or connection: bodies may contain the same values and need them. */
const opensNothing = /idempotency|^sec-websocket-/;

/** What a proxy knows before a call. */
export interface KnownSecrets {
  /** Secrets of the connection, such as the key of a gateway. */
  readonly others: readonly string[];
  /** The masks of the last keys. */
  readonly masks: KeyMasks;
}

/**
 * The secrets of a call, which include the key of a real school: nothing that is stored, shown or written
 * contains them unmasked.
 */
export class Secrets {
  /** The longest first. */
  readonly #forms: readonly Form[];
  /** Null if they are few, which are faster tried one by one. */
  readonly #many: ManyForms | null = null;
  /** The same in lower case, for the names of headers. */
  #manyLower: ManyForms | null = null;
  /** Those of the key; all secrets if the key header is missing, because any of them may be the key. */
  readonly #keyForms: readonly Form[];
  readonly #finders = new Map<string, TextFinder>();
  /** Masks the parts of the key. A key of a sandbox is not secret, and consists of words. */
  readonly #maskParts: SlicedMask = unmasked;
  readonly #maskShort: (text: string) => string = (text) => text;

  /** `headers` are the request headers by lower-case name. */
  constructor(
    headers: Readonly<Record<string, string>>,
    query: string,
    { others, masks }: KnownSecrets = { others: [], masks: new KeyMasks() },
  ) {
    const { 'service-api-key': key, ...rest } = headers;
    const secret = Object.entries(rest).filter(([name]) => isSecretHeader(name) && !opensNothing.test(name));
    const cookies = secret.flatMap(([name, value]) => (name === 'cookie' ? [value] : []));
    // A browser may send very many cookies, so they come last.
    const values = [
      ...others,
      ...secret.flatMap(([name, value]) => (name === 'cookie' ? [] : [value])),
      ...secretsIn(query).flatMap(readingsOf),
      ...cookies,
    ];
    const keys = key === undefined ? [] : [...partsOf(key), ...keysIn(key)];
    const keyForms = formsOf(keys, shownKey, encodingsOf);
    // Of two equal secrets, the first one decides how it is shown.
    const known = new Map([...keyForms, ...formsOf(values.flatMap(partsOf), masked)].toReversed());
    this.#forms = [...known].toSorted(([one], [other]) => other.length - one.length);
    if (this.#forms.length > maxTriedForms) this.#many = new ManyForms(this.#forms);
    this.#keyForms = key === undefined ? this.#forms : keyForms;
    if (key === undefined || key === '' || parseKey(key) !== null) return;
    if (key.length >= shortestSecret) this.#maskParts = masks.of(key);
    else this.#maskShort = shortKeyMask(key);
  }

  /** Masks every secret in a text, and every part of the key. */
  mask(text: string): string {
    return withoutPause(this.masking(text));
  }

  /** The same in slices. */
  masking(text: string): SlicedWork<string> {
    return this.#maskParts(this.#maskWhole(text));
  }

  #maskWhole(text: string): string {
    const shown = this.#maskForms(this.#maskShort(text));
    // Escapes hide a secret from the search, but not from a reader. Only then are they replaced.
    const plain = unescaped(shown);
    const found = plain === shown ? plain : this.#maskForms(plain);
    return found === plain ? shown : found;
  }

  #maskForms(text: string): string {
    // Most headers are shorter than any secret.
    if (text.length < shortestSecret) return text;
    if (this.#many !== null) return withoutKeys(this.#many.maskIn(text));
    let shown = text;
    for (const [form, mask] of this.#forms)
      shown = this.#finder(form).replaceIn(shown, mask, publicPlacesOf(form));
    return withoutKeys(shown);
  }

  #finder(form: string): TextFinder {
    const known = this.#finders.get(form);
    if (known !== undefined) return known;
    const finder = new TextFinder(form);
    this.#finders.set(form, finder);
    return finder;
  }

  /** Masks every secret in messages, even if it is cut off. */
  maskAll(messages: readonly string[]): readonly string[] {
    return messages.map((message) => this.#maskCut(this.mask(message)));
  }

  /** Masks the secrets in the name of a header, in any case. */
  #maskName(name: string): string {
    // Tools find headers by these names, whatever words a key has.
    if (isKnownHeader(name.toLowerCase())) return name;
    if (name.length < shortestSecret) return withoutPause(this.#maskParts(name));
    const lower = name.toLowerCase();
    return withoutPause(this.#maskParts(this.#shownIn(lower) ?? withoutKeys(name)));
  }

  /** Returns how the longest secret in a text in lower case is shown, or null if it contains none. */
  #shownIn(lower: string): string | null {
    if (this.#many === null)
      return this.#forms.find(([form]) => this.#finder(form.toLowerCase()).isIn(lower))?.[1] ?? null;
    this.#manyLower ??= new ManyForms(this.#forms.map(([form, shown]) => [form.toLowerCase(), shown]));
    return this.#manyLower.shownIn(lower);
  }

  /**
   * Masks every secret in the first `maxChars` characters of a text, and returns how many characters it left
   * out.
   */
  *maskingStart(
    text: string,
    maxChars: number,
  ): SlicedWork<{ readonly shown: string; readonly cut: number }> {
    const longest = escapedLength * Math.max(maxKeyChars, this.#forms[0]?.[0].length ?? 0);
    const start = text.slice(0, maxChars + longest);
    const shown = yield* this.masking(start);
    // A secret at the end of the start may be incomplete, so it is not recognized.
    const kept = keptPart(start.length === text.length ? shown : shown.slice(0, -longest), maxChars);
    return { shown: kept, cut: shown.length - kept.length + text.length - start.length };
  }

  /** Whether a text contains a whole secret. */
  isIn(text: string): boolean {
    return this.#maskWhole(text) !== text;
  }

  /** Returns whether a text contains the key or a possible key. */
  *findingKey(text: string): SlicedWork<boolean> {
    // If that takes long, such as with a header that lists very many possible keys, the keys are searched for only
    // where the journal shows the text.
    const isLong = this.#keyForms.length * text.length > maxSearchedChars;
    const longest = this.#keyForms.reduce((most, [form]) => Math.max(most, form.length), 0);
    const overlap = escapedLength * (longest + 2 * maxContextChars);
    const pieces = [...overlapping(isLong ? text.slice(0, maxKeptChars) : text, overlap)];
    for (const [at, piece] of pieces.entries()) {
      if (this.#isFormIn(piece, { isFirst: at === 0, isLast: at === pieces.length - 1 })) return true;
      yield;
    }
    for (const piece of overlapping(text, maxKeyChars)) {
      if (holdsKey(piece)) return true;
      yield;
    }
    return false;
  }

  /** Of a piece, the neighbors show what stands at its ends together with what is around it. */
  #isFormIn(text: string, { isFirst, isLast }: Readonly<Record<'isFirst' | 'isLast', boolean>>): boolean {
    const plain = unescaped(text);
    const texts = plain === text ? [plain] : [text, plain];
    return this.#keyForms.some(([form]) => {
      const isName = publicPlacesOf(form);
      const isException: Exception | undefined =
        isName &&
        ((one, from, to) =>
          (!isFirst && from < maxContextChars) ||
          (!isLast && to > one.length - maxContextChars) ||
          isName(one, from, to));
      return texts.some((one) => this.#finder(form).isIn(one, isException));
    });
  }

  /** Returns the headers as they may be stored: name, value, name, value … */
  *maskingHeaders(list: readonly string[]): SlicedWork<readonly string[]> {
    const shown: string[] = [];
    for (const [at, text] of list.entries()) {
      shown.push(
        at % 2 === 0 ? this.#maskName(text) : this.#maskHeader(list[at - 1]?.toLowerCase() ?? '', text),
      );
      if (at % 16 === 15) yield;
    }
    return shown;
  }

  #maskHeader(name: string, value: string): string {
    if (name === 'service-api-key') return shownKey(value);
    if (isSecretHeader(name)) return masked(value);
    return isKnownValue(name, value) ? value : this.mask(maskedValue(name, value));
  }

  /** Messages quote input and cut long values, so a cut secret is recognized by its beginning. */
  maskViolations(violations: readonly Violation[]): readonly Violation[] {
    return violations.map(({ pointer, message }) => ({
      pointer: this.mask(pointer),
      message: this.#maskCut(this.mask(message)),
    }));
  }

  #maskCut(message: string): string {
    let shown = message;
    for (const [form, mask] of this.#many?.candidatesIn(message) ?? this.#forms) {
      const beginning = beginningOf(form);
      for (let from = shown.indexOf(beginning); from >= 0; from = shown.indexOf(beginning, from + 1)) {
        const end = shown.indexOf('…', from);
        // A masked secret may begin as the secret itself.
        if (end < 0 || shown.startsWith(mask, from) || !form.startsWith(shown.slice(from, end))) continue;
        shown = `${shown.slice(0, from)}${mask}${shown.slice(end + 1)}`;
      }
    }
    return shown;
  }
}
