import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pauseFor, stopwatch } from '../sandbox/clock.ts';
import { addressOf, holderOf, thisMachine } from './lock-address.ts';
import { readClaim, type Claim } from './lock-claim.ts';
import type { LockedPlace } from './lock.ts';

const lockEnding = 'lp-sandbox.lock';

/** Returns the name of the lock file of a place. */
export function lockNameOf({ stem }: LockedPlace): string {
  return stem === null ? lockEnding : `${stem}.${lockEnding}`;
}

/** How often the holder of a lock shows that it runs, in milliseconds. */
export const beatMs = 1000;

/** A holder on another machine that shows nothing for this long has ended. */
export const patienceMs = 5000;

/** Returns the server that uses state files of this place under another lock in its folder; null for none. */
export async function holderBeside(place: LockedPlace): Promise<string | null> {
  const { folder, stem } = place;
  for (const name of readdirSync(folder)) {
    if (name === lockNameOf(place) || !name.endsWith(lockEnding)) continue;
    if (!share(stem, stemOf(name))) continue;
    const found = readClaim(join(folder, name));
    if (found === 'absent') continue;
    const holder = await runningHolder(join(folder, name), found, null);
    if (holder !== null) return holder;
  }
  return null;
}

/**
 * Returns the place of a server of this machine that does not answer, by its lock file in the folder: the address of
 * its socket is there. Null if no lock file names it.
 */
export async function silentPlace(folder: string, register: string): Promise<SilentPlace | null> {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(lockEnding)) continue;
    const found = readClaim(join(folder, name));
    if (found === 'absent' || found?.register !== register || found.machine !== thisMachine()) continue;
    // A killed server may have had the same address before.
    if ((await holderOf(found.address)) === null) continue;
    return { stem: stemOf(name), owner: silent(found) };
  }
  return null;
}

interface SilentPlace extends Pick<LockedPlace, 'stem'> {
  readonly owner: string;
}

/** Returns the stem in the name of a lock file. */
function stemOf(name: string): string | null {
  return name === lockEnding ? null : name.slice(0, -lockEnding.length - 1);
}

/** Whether two places in a folder have a state file in common. `x.json` has `x.a.json` beside it. */
export function share(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  return one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Whether the address in a lock file is that of its folder. It is not if the folder was copied with the lock file. */
function isOfFolder({ address }: Claim, file: string): boolean {
  return address.startsWith(addressOf(dirname(file), basename(file)));
}

/** Returns the owner of a lock file if it runs; null if it has ended. `ownAddress` is of this server. */
export async function runningHolder(
  file: string,
  found: Claim | null,
  ownAddress: string | null,
): Promise<string | null> {
  const seen = found?.machine === thisMachine() ? found : null;
  if (seen !== null) {
    const holder = seen.address === ownAddress ? null : await holderOf(seen.address);
    if (holder === null) return null;
    if (holder.folder === '') return silent(seen);
    if (isOfFolder(seen, file)) return holder.owner;
    // The folder is a copy, or has another device number in this container: then its server writes to this file.
  }
  const until = stopwatch() + patienceMs;
  while (stopwatch() < until) {
    await pauseFor(beatMs / 4);
    const now = readClaim(file);
    if (now === 'absent') return null;
    if (now !== null && (now.beat !== found?.beat || now.token !== found.token))
      return `${now.owner}, on another machine or in another container`;
  }
  // A server whose disk hangs cannot write.
  return seen !== null && (await holderOf(seen.address))?.folder === '' ? silent(seen) : null;
}

/** A paused server does not say its name, but its lock file does. */
function silent({ owner }: Claim): string {
  return `${owner}, which does not answer now`;
}
