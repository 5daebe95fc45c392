import { addressesOf, addressOf, holderOf, isSame, listenAt, occupy, type Occupied } from './lock-address.ts';
import { lockNameOf, share } from './lock-holders.ts';
import type { LockedPlace } from './lock.ts';

/**
 * The sockets of a server that uses a place: one for its lock file, one for its state file, and one that all servers
 * find that use the same folder, whichever lock file they have and whoever deletes it.
 */
export class LockSockets {
  readonly #place: LockedPlace;
  readonly #owner: string;
  /** Those of the folder. */
  readonly #occupied: Occupied[] = [];
  #ofFile: Occupied | null = null;
  /** The address of the folder: another one can take the place of a deleted one. */
  #base = '';

  constructor(place: LockedPlace, owner: string) {
    this.#place = place;
    this.#owner = owner;
  }

  /** The address of the one for the lock file. */
  get address(): string {
    return this.#occupied[0]?.address ?? '';
  }

  /** Occupies the place. Resolves to the server that has it; null if it was free, or is of this server. */
  async occupy(): Promise<string | null> {
    const base = addressOf(this.#place.folder, lockNameOf(this.#place));
    if (base === this.#base) return null;
    const occupied: Occupied[] = [];
    try {
      const holder = await this.#occupyAll(base, occupied);
      if (holder !== null) return holder;
      this.#base = base;
      const before = this.#occupied.splice(0, Infinity, ...occupied.splice(0));
      occupied.push(...before);
      return null;
    } finally {
      await free(occupied);
    }
  }

  async #occupyAll(base: string, occupied: Occupied[]): Promise<string | null> {
    const { folder, file } = this.#place;
    const own = await occupy(base, { owner: this.#owner, folder });
    if ('owner' in own) return own.owner;
    occupied.push(own);
    if (file !== undefined && this.#ofFile === null) {
      const ofFile = await occupy(addressOf(file, ''), { owner: this.#owner, folder: file });
      if ('owner' in ofFile) return ofFile.owner;
      this.#ofFile = ofFile;
    }
    return this.#register(occupied);
  }

  /** Lets the other servers of the folder find this one, and then looks for them. */
  async #register(occupied: Occupied[]): Promise<string | null> {
    const { folder, stem } = this.#place;
    const addresses = addressesOf(addressOf(folder, 'register'));
    const self = { owner: this.#owner, folder: `${folder}/${stem ?? ''}` };
    let own: Occupied | null = null;
    for (const address of addresses) {
      own = await listenAt(address, self);
      if (own !== null) break;
    }
    if (own !== null) occupied.push(own);
    const others = addresses.filter((address) => address !== own?.address);
    for (const holder of await Promise.all(others.map((address) => holderOf(address))))
      if (holder !== null && this.#overlaps(holder.folder)) return holder.owner;
    return null;
  }

  /** A paused server does not say what it uses. */
  #overlaps(used: string): boolean {
    if (used === '') return true;
    const end = used.lastIndexOf('/');
    const stem = used.slice(end + 1);
    return (
      isSame(used.slice(0, end), this.#place.folder) && share(this.#place.stem, stem === '' ? null : stem)
    );
  }

  async free(): Promise<void> {
    await free([...this.#occupied, ...(this.#ofFile === null ? [] : [this.#ofFile])]);
  }
}

async function free(occupied: readonly Occupied[]): Promise<void> {
  await Promise.all(occupied.map((one) => one.free()));
}
