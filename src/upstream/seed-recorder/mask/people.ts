import type { Digest } from './digest.ts';
import { OneToOne } from './one-to-one.ts';
import type { Words } from './words.ts';

/** Invented people, one per e-mail address, or one per name if there is no address. */
export class People {
  readonly #words: Words;
  readonly #addresses: OneToOne;
  readonly #hosts: OneToOne;

  constructor(digest: Digest, words: Words) {
    this.#words = words;
    this.#hosts = new OneToOne(
      digest,
      'host',
      (host, attempt) => `${words.about('host', host).host()}${again(attempt)}.example`,
    );
    this.#addresses = new OneToOne(digest, 'email', (address, attempt) => {
      const { first, last } = this.#personOf('email', address);
      const at = address.lastIndexOf('@');
      return `${plain(first)}.${plain(last)}${again(attempt)}@${this.host(address.slice(at + 1))}`;
    });
  }

  /** Returns the address of the invented person for an address, ignoring case. */
  email(address: string): string {
    return address === '' ? '' : this.#addresses.mask(address.toLowerCase());
  }

  /**
   * Returns a name for a person; if there is an address next to the name, the name of the invented person for
   * that address.
   */
  name(name: string, address: string | null): string {
    if (name === '') return '';
    const { first, last } =
      address === null || address === ''
        ? this.#personOf('name', name)
        : this.#personOf('email', address.toLowerCase());
    return `${first} ${last}`;
  }

  /** Replaces a host. */
  host(host: string): string {
    return this.#hosts.mask(host.toLowerCase());
  }

  /** The replacements that other values must not get. */
  get unique(): { readonly addresses: OneToOne; readonly hosts: OneToOne } {
    return { addresses: this.#addresses, hosts: this.#hosts };
  }

  #personOf(purpose: string, value: string): ReturnType<Words['person']> {
    return this.#words.about(purpose, value).person();
  }
}

/** Makes a replacement unique if it is taken. */
function again(attempt: number): string {
  return attempt === 0 ? '' : String(attempt + 1);
}

/** Returns a name as a part of an address. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
