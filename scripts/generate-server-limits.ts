import { serverLimits } from '../src/base/server-limits.ts';
import { fillBlocks, table } from './generated-blocks.ts';

/** `docs/server-limits.md` with its generated block filled anew. */
export function fillServerLimits(page: string): string {
  const rows = Object.entries(serverLimits).map(([name, { default: initial, what, beyond }]) => [
    `\`${name}\``,
    String(initial),
    what,
    beyond,
  ]);
  return fillBlocks(page, { limits: table(['name', 'default', 'limits', 'beyond the limit'], rows) });
}
