/** Pauses in milliseconds, after so many failures. Together, they are longer than the outage of `long-outage`. */

/** 1, 2, 4, 8 and 16 s, then 30 s each. */
export function cappedMs(failures: number): number {
  return Math.min(30_000, 500 * 2 ** failures);
}

/** 0.7, 1.4, 2.1 s and so on. */
export function linearMs(failures: number): number {
  return 700 * failures;
}

/** 0.9, 1.35, 2.03 s and so on: half of the last pause more each time. */
export function slowlyGrowingMs(failures: number): number {
  return 600 * 1.5 ** failures;
}
