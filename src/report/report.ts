import type { components } from '../contract/generated/control.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { JournalPage } from '../sandbox/journal.ts';
import { coverage } from './coverage.ts';
import { violations } from './violations.ts';

/** What the journal says about the client: what it covered, and where it broke the contract. */
export type Report = components['schemas']['Report'];

/** Makes the report on everything that a sandbox's journal still has. */
export function makeReport(sandbox: string, { entries, evicted }: Pick<JournalPage, 'entries' | 'evicted'>): Report {
  const covered = coverage(entries);
  return {
    sandbox,
    calls: entries.length,
    evicted,
    from: entries[0]?.at ?? null,
    to: entries.at(-1)?.at ?? null,
    coverage: covered,
    neverCalled: covered.filter(({ calls }) => calls === 0).map(({ operation }) => operation),
    faultsMet: faultsMet(entries),
    violations: violations(entries),
  };
}

/** How often the client met each fault. */
function faultsMet(entries: readonly JournalEntry[]): Readonly<Record<string, number>> {
  const met = new Map<string, number>();
  for (const { faults } of entries) for (const { fault } of faults) met.set(fault, (met.get(fault) ?? 0) + 1);
  return Object.fromEntries(met);
}
