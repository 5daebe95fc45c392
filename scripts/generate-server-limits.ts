import { serverLimits } from '../src/base/server-limits.ts';
import { table, type Blocks } from './generated-blocks.ts';

/** The generated block of `docs/server-limits.md`. */
export function serverLimitBlocks(): Blocks {
  const rows = Object.entries(serverLimits).map(([name, { default: initial, what, beyond }]) => [
    `\`${name}\``,
    String(initial),
    what,
    beyond,
  ]);
  return { limits: table(['name', 'default', 'limits', 'beyond the limit'], rows) };
}
