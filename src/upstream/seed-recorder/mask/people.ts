import type { Digest } from './digest.ts';
import { OneToOne } from './one-to-one.ts';
import type { Words } from './words.ts';

/** Made-up people, one per e-mail address; whoever has no address is one per name. */
export class People {
  readonly #words: Words;
  readonly #addresses: OneToOne;
  readonly #hosts: OneToOne;

  constructor(digest: Digest, words: Words) {
    this.#words = words;
    this.#hosts = new OneToOne(digest, 'host', (host, attempt) => `${words.about('host', host).host()}${again(attempt)}.example`);
    this.#addresses = new OneToOne(digest, 'email', (address, attempt) => {
      const { first, last } = this.#personOf('email', address);
      const at = address.lastIndexOf('@');
      return `${plain(first)}.${plain(last)}${again(attempt)}@${this.host(address.slice(at + 1))}`;
    });
  }

  /** The address of the made-up person for an address. Addresses that differ only in upper and lower case are the same. */
  email(address: string): string {
    return address === '' ? '' : this.#addresses.mask(address.toLowerCase());
  }

  /** A name for a person; that of the made-up person for the address, where one stands beside it. */
  name(name: string, address: string | null): string {
    if (name === '') return '';
    const { first, last } =
      address === null || address === '' ? this.#personOf('name', name) : this.#personOf('email', address.toLowerCase());
    return `${first} ${last}`;
  }

  /** A host for a host. */
  host(host: string): string {
    return this.#hosts.mask(host.toLowerCase());
  }

  #personOf(purpose: string, value: string): ReturnType<Words['person']> {
    return this.#words.about(purpose, value).person();
  }
}

/** What tells a replacement from one that is taken. */
function again(attempt: number): string {
  return attempt === 0 ? '' : String(attempt + 1);
}

/** A name as a part of an address. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
