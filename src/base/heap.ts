import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { SandboxError } from './errors.ts';

const mib = 1_048_576;

/** The young generation next to an old space whose size is set: three semi-spaces of at most 64 MiB (Node 24). */
const maxYoungBytes = 192 * mib;

/** The part of the heap that V8 gives to the old space if no flag sets its size. */
const oldPart = 0.95;

/** A flag of Node sets the maximum size of the old space. */
const flag = /--max[-_]old[-_]space[-_]size(?:=(\d+)|[-_]percentage=)/g;

/**
 * Returns the maximum size of the old space, in bytes: the part of the heap that ends the process when it is full.
 * V8 states only the limit of the whole heap, which also has the young generation. That is 48 MiB in Node 20 and
 * 192 MiB in Node 24, however small the old space is. `flags` are those of Node, of which the last one applies.
 */
export function oldSpaceIn(heapLimit: number, flags: string): number {
  const set = [...flags.matchAll(flag)].at(-1);
  if (set === undefined) return Math.floor(heapLimit * oldPart);
  const [, megabytes] = set;
  return megabytes === undefined
    ? Math.max(heapLimit - maxYoungBytes, Math.floor(heapLimit / 4))
    : Math.min(Number(megabytes) * mib, heapLimit);
}

const flagsOfNode = [process.env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' ');

/** Returns the maximum size of the old space of this process, in bytes. */
export function oldSpaceBytes(): number {
  return oldSpaceIn(getHeapStatistics().heap_size_limit, flagsOfNode);
}

/** With less, a load that a server should survive ends it, because its own code already needs half of it. */
const minMib = 64;

/** Throws SandboxError if the old space is too small for a server. */
export function checkHeap(bytes = oldSpaceBytes()): void {
  if (bytes >= minMib * mib) return;
  throw new SandboxError(
    `The heap of this process is limited to ${Math.floor(bytes / mib)} MiB, but the server needs at least ${minMib}. Set NODE_OPTIONS=--max-old-space-size=${minMib} or more.`,
  );
}

/** Returns the bytes in use outside the young generation, which V8 empties before it is full. */
export function usedOldSpaceBytes(): number {
  let used = 0;
  for (const { space_name: name, space_used_size: size } of getHeapSpaceStatistics())
    if (!name.startsWith('new_')) used += size;
  return used;
}
