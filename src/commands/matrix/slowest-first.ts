import { readScenario } from '../../store/read-scenario.ts';
import type { Together } from './combine.ts';

/** The faults that make a client wait. */
const slowFaults: ReadonlySet<string> = new Set(['delay', 'slow-body', 'timeout']);

/**
 * Returns the runs with those first that take the longest: scenarios that make the client wait, groups of options,
 * which may run again in parts, then the other scenarios, in which the client retries. Otherwise, one of them would run
 * alone at the end.
 */
export async function slowestFirst(runs: readonly Together[]): Promise<Together[]> {
  const ranked: { readonly run: Together; readonly rank: number }[] = [];
  for (const run of runs) ranked.push({ run, rank: await rankOf(run) });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ run }) => run);
}

async function rankOf([first, ...more]: Together): Promise<number> {
  if (more.length > 0) return 1;
  const scenario = first?.scenario ?? null;
  if (scenario === null) return 3;
  const { rules } = await readScenario(scenario);
  return rules.some(({ rule }) => slowFaults.has(rule.fault)) ? 0 : 2;
}
