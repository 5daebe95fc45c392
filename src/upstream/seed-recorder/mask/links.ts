import type { Digest } from './digest.ts';
import { OneToOne } from './one-to-one.ts';
import type { People } from './people.ts';
import type { Words } from './words.ts';

/** The paths of this server's pictures: of people and of live events. */
export interface Pictures {
  readonly portraits: readonly string[];
  readonly events: readonly string[];
}

/** Masks addresses, pictures, slugs and folders. */
export class Links {
  readonly #words: Words;
  readonly #people: People;
  readonly #pictures: Pictures;
  readonly folders: OneToOne;

  constructor(digest: Digest, words: Words, people: People, pictures: Pictures) {
    this.#words = words;
    this.#people = people;
    this.#pictures = pictures;
    // Masks the path as a whole, so that folders with the same name in two places stay different.
    this.folders = new OneToOne(digest, 'folder', (path, attempt) => {
      const name = words.about('folder', path).word(path.length - path.lastIndexOf('/') - 1);
      const number = attempt === 0 ? '' : ` ${attempt + 1}`;
      return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}${number}`;
    });
  }

  /**
   * Returns an address on a host that does not exist, with the same number of steps and, if it is common, the
   * same ending.
   */
  link(address: string): string {
    if (address === '') return '';
    const url = URL.canParse(address) ? new URL(address) : null;
    const steps = (url?.pathname ?? address).split(/[/?#]/).filter((step) => step !== '');
    const [, ending = ''] = /(\.(?:git|html|pdf|png|jpe?g|svg|mp4|m3u8))$/i.exec(url?.pathname ?? '') ?? [];
    const path = steps.map((step) => this.slug(step.slice(0, 80)));
    return `https://${this.#people.host(url?.host ?? '')}/${path.join('/')}${ending}`;
  }

  picture(of: keyof Pictures, address: string): string {
    return address === '' ? '' : this.#words.about('picture', address).oneOf(this.#pictures[of]);
  }

  /** Returns the same number of words, joined with hyphens. */
  slug(text: string): string {
    if (text === '') return '';
    this.#words.about('slug', text);
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
    return parts.map((part) => this.#words.word(Math.min(part.length, 12))).join('-') || 'a';
  }

  /** Masks a folder; its parent folder becomes the parent of the masked folder. */
  folder(path: string): string {
    const steps = path.split('/').filter((step) => step !== '');
    const made = steps.map((_, depth) => this.folders.mask(`/${steps.slice(0, depth + 1).join('/')}`));
    return `${path.startsWith('/') ? '/' : ''}${made.join('/')}`;
  }
}
