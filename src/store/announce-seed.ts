import type { Seed } from '../sandbox/seed.ts';

interface Announcing {
  readonly warn: (message: string) => void;
  /** The seeds of stored sandboxes that a message has named since the start. */
  readonly namedSeeds: Set<string>;
}

/** Warns once for each other seed that stored sandboxes have, because the server was started with this one. */
export function announceSeed(
  id: string,
  stored: Seed | undefined,
  { name }: Seed,
  { warn, namedSeeds }: Announcing,
): void {
  if (stored === undefined || stored.name === name || namedSeeds.has(stored.name)) return;
  namedSeeds.add(stored.name);
  warn(
    `Sandbox "${id}" keeps its seed "${stored.name}", as do others that have it; "${name}" applies only to new sandboxes.`,
  );
}
