import type { Invocation } from './command.ts';

/** Shorter waits are not worth a line. */
const leastSeconds = 5;

/** Says on the standard error that a command waits, why and how long, unless the wait is short. */
export function noticeWait(
  seconds: number,
  why: string | undefined,
  { err, terminals }: Pick<Invocation, 'err' | 'terminals'>,
): void {
  if (seconds < leastSeconds || why === undefined) return;
  err(`${terminals.err ? '\r\u001B[K' : ''}lp-sandbox: waiting ${Math.ceil(seconds)} s. ${why}.\n`);
}
