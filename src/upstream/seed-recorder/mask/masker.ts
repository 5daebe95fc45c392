import { recordOf } from '../../../base/keys.ts';
import { isObject } from '../../../base/is-object.ts';
import type { Kind } from '../kinds.ts';
import { alike } from './alike.ts';
import { digestWith } from './digest.ts';
import { maskAnything, maskDocument } from './documents.ts';
import { Links, type Pictures } from './links.ts';
import { OneToOne } from './one-to-one.ts';
import { People } from './people.ts';
import { Texts } from './texts.ts';
import { Words } from './words.ts';

/** The settings of a masker. */
export interface MaskerParts {
  /** All replacements are derived from it; without it, originals cannot be found by trying. */
  readonly secret: string;
  /** The pictures that replace all pictures. */
  readonly pictures: Pictures;
}

type Mask = (value: string, beside: string | null) => unknown;
type TextKind = Exclude<Kind, 'number' | 'integer' | 'boolean' | 'anything'>;

const uniques = ['ids', 'codes', 'folders', 'addresses', 'hosts'] as const;
type Unique = (typeof uniques)[number];

/** The replacements that were given so far, by the digests of their originals. */
export type Replacements = Readonly<Record<Unique, readonly (readonly [string, string])[]>>;

/** Replaces single values by their kinds. Stores only digests. */
export class Masker {
  readonly #ofTexts: Readonly<Record<TextKind, Mask>>;
  /** What gives each value a replacement that no other value has. */
  readonly #unique: Readonly<Record<Unique, OneToOne>>;
  readonly #anything: (value: unknown) => unknown;

  constructor({ secret, pictures }: MaskerParts) {
    const digest = digestWith(secret);
    const words = new Words(digest);
    const people = new People(digest, words);
    const links = new Links(digest, words, people, pictures);
    // A separate generator: a text draws many words in a row, which must not depend on other values.
    const texts = new Texts(new Words(digest), people, links);
    const ids = new OneToOne(digest, 'id', (value, attempt) => alike(digest, 'id', value, attempt));
    const codes = new OneToOne(digest, 'code', (value, attempt) => alike(digest, 'code', value, attempt));
    const text = (value: string): string => texts.mask(value);
    const field = (value: string): string =>
      words.about('field', value).word(Math.min(Math.max(value.length, 3), 12));
    const number = (value: number): number =>
      words.about('number', String(value)).number(String(Math.trunc(Math.abs(value))).length);
    this.#unique = { ids, codes, folders: links.folders, ...people.unique };
    const ways = { text, link: (value: string) => links.link(value), field, number };
    const word = (value: string): string => (isConstant(value) ? value : text(value));
    this.#anything = (value) => maskAnything(value, ways);
    this.#ofTexts = {
      moment,
      word,
      id: unlessEmpty(ids.mask),
      code: unlessEmpty(codes.mask),
      folder: (value) => links.folder(value),
      name: (value, beside) => people.name(value, beside),
      email: (value) => people.email(value),
      text,
      document: (value) => maskDocument(value, ways),
      slug: (value) => links.slug(value),
      link: (value) => links.link(value),
      portrait: (value) => links.picture('portraits', value),
      picture: (value) => links.picture('events', value),
      permission: word,
      // Only the presence of a value is recorded.
      secret: (value) => (value === '' ? '' : undefined),
    };
  }

  /**
   * Returns the recorded form of a value; undefined for none. `beside` is the e-mail address next to a
   * person's name.
   */
  mask(kind: Kind, value: unknown, beside: string | null): unknown {
    if (value === null) return kind === 'text' || kind === 'anything' ? null : undefined;
    if (kind === 'number') return typeof value === 'number' ? value : undefined;
    if (kind === 'integer') return Number.isSafeInteger(value) ? value : undefined;
    if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined;
    if (kind === 'anything') return this.#anything(value);
    const text = textIn(kind, value);
    return typeof text === 'string' ? this.#ofTexts[kind](text, beside) : undefined;
  }

  /** Returns the replacements that depend on the order of values. */
  replacements(): Replacements {
    return recordOf(uniques, (name) => this.#unique[name].given());
  }

  /** Restores replacements of an earlier recording with the same secret. */
  restore(replacements: Replacements): void {
    for (const name of uniques) this.#unique[name].restore(replacements[name]);
  }

  /** Returns the word that `mask` keeps because it looks like a value of an enum; null for other values. */
  keptWord(kind: Kind, value: unknown): string | null {
    const text = kind === 'word' || kind === 'permission' ? textIn(kind, value) : null;
    return typeof text === 'string' && isConstant(text) ? text : null;
  }
}

function unlessEmpty(mask: (value: string) => string): Mask {
  return (value) => (value === '' ? '' : mask(value));
}

/** Some services send a permission as an object of several words. */
function textIn(kind: Kind, value: unknown): unknown {
  return kind === 'permission' && isObject(value) ? stringsIn(value).join(':') : value;
}

function stringsIn(value: object): readonly string[] {
  return Object.values(value).filter((part) => typeof part === 'string');
}

const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function millisecondsIn(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  return /^\d{10}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

/** Returns a time in the format of seeds, converted from other formats; undefined if it cannot be read. */
function moment(text: string): string | undefined {
  const milliseconds = millisecondsIn(text);
  if (Number.isNaN(milliseconds)) return undefined;
  const iso = new Date(milliseconds).toISOString();
  // Years with more than four digits.
  if (!written.test(iso)) return undefined;
  return written.test(text) && text.slice(0, 19) === iso.slice(0, 19) ? text : iso;
}

/**
 * Whether a text looks like an enum value (`CcFailed`, `percent-off`, `courses:read`) and not like personal
 * data.
 */
function isConstant(text: string): boolean {
  return text.length <= 40 && /^[A-Za-z]+(?:[-_.:][A-Za-z]+)*$/.test(text);
}
