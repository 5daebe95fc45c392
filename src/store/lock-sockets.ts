import { addressesOf, addressOf, holderOf, isSame, listenAt, occupy, type Occupied } from './lock-address.ts';
import { lockNameOf, share, silentPlace } from './lock-holders.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { LockedPlace } from './lock.ts';

/** So long a server of the folder can be silent that no lock file names, in milliseconds. */
const silenceMs = 4500;

/**
 * The sockets of a server that uses a place: one for its lock file, one for its state file, and one that the other
 * servers of the folder find, even if they have other lock files or if lock files are deleted.
 */
export class LockSockets {
  readonly #place: LockedPlace;
  readonly #owner: string;
  /** Those of the folder. */
  readonly #occupied: Occupied[] = [];
  #ofFile: Occupied | null = null;
  #register: Occupied | null = null;
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

  /** The address of the one that all servers of the folder find. */
  get register(): string {
    return this.#register?.address ?? '';
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
      const self = { owner: this.#owner, folder: file };
      const ofFile = await occupy(addressOf(file, ''), self, { silentToo: true });
      if ('owner' in ofFile) return ofFile.owner;
      this.#ofFile = ofFile;
    }
    return this.#registerIn(occupied);
  }

  /** Lets the other servers of the folder find this one, and then looks for them. */
  async #registerIn(occupied: Occupied[]): Promise<string | null> {
    const { folder, stem } = this.#place;
    const addresses = addressesOf(addressOf(folder, 'register'));
    const self = { owner: this.#owner, folder: `${folder}/${stem ?? ''}` };
    let own: Occupied | null = null;
    for (const address of addresses) {
      own = await listenAt(address, self);
      if (own !== null) break;
    }
    if (own !== null) occupied.push(own);
    this.#register = own;
    const others = addresses.filter((address) => address !== own?.address);
    const holders = await Promise.all(others.map((address) => this.#holderAt(address)));
    return holders.find((holder) => holder !== null) ?? null;
  }

  /** Resolves to the server that has a socket of the folder; null if it does not use this place. */
  async #holderAt(address: string): Promise<string | null> {
    const { folder, stem } = this.#place;
    const until = stopwatch() + silenceMs;
    for (;;) {
      const holder = await holderOf(address);
      if (holder === null) return null;
      if (holder.folder !== '') return this.#overlaps(holder.folder) ? holder.owner : null;
      // It may just be starting, and write its lock file soon.
      const silent = await silentPlace(folder, address);
      if (silent !== null) return share(stem, silent.stem) ? silent.owner : null;
      if (stopwatch() > until) return holder.owner;
    }
  }

  #overlaps(used: string): boolean {
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
