import { readScenario } from '../../store/read-scenario.ts';
import type { Together } from './combine.ts';

/** The faults that make a client wait. */
const slowFaults: ReadonlySet<string> = new Set(['delay', 'slow-body', 'timeout']);

/**
 * Returns the runs with those first that take the longest: scenarios that make the client wait, then the other
 * scenarios, in which it retries. Otherwise, one of them would run alone at the end.
 */
export async function slowestFirst(runs: readonly Together[]): Promise<Together[]> {
  const ranked: { readonly run: Together; readonly rank: number }[] = [];
  for (const run of runs) ranked.push({ run, rank: await rankOf(run) });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ run }) => run);
}

async function rankOf([first]: Together): Promise<number> {
  const scenario = first?.scenario ?? null;
  if (scenario === null) return 2;
  const { rules } = await readScenario(scenario);
  return rules.some(({ rule }) => slowFaults.has(rule.fault)) ? 0 : 1;
}
