import type { HeapUse } from './amounts.ts';
import type { ServerLimitName } from './server-limits.ts';

/**
 * What a request exceeds for which this server has no memory: the setting of a limit; what the limit can be at most,
 * with this heap; or the heap itself. In bytes.
 */
export type Shortage =
  { readonly of: 'setting' | 'heap-share'; readonly max: number } | ({ readonly of: 'heap' } & HeapUse);

/** Returns the value of the header `Sandbox-Limit`, with the figure that was exceeded. */
export function shortageHeader(name: ServerLimitName, shortage: Shortage): string {
  return shortage.of === 'heap'
    ? `heap; used=${shortage.used}; max=${shortage.max}`
    : `${name}; max=${shortage.max}`;
}

/** Returns the sentences that end the message about lack of memory: what was exceeded, and what changes it. */
export function shortageText(name: ServerLimitName, shortage: Shortage): string {
  if (shortage.of === 'setting')
    return `The limit ${name} is ${shortage.max} bytes. This is a limit of this server, not of the platform; --max ${name}=N changes it.`;
  const what =
    shortage.of === 'heap'
      ? `The heap of this process is almost full: ${shortage.used} bytes are used or reserved, and the maximum is ${shortage.max}.`
      : `The limit ${name} is ${shortage.max} bytes, because it is at most 256 MiB and a quarter of the heap of this server.`;
  return `${what} ${moreHeap}`;
}

const moreHeap =
  'This is a limit of this server, not of the platform; NODE_OPTIONS=--max-old-space-size=MB gives the process a larger heap.';
