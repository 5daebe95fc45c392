import type { components } from '../contract/generated/control.ts';
import type { JournalPage } from '../sandbox/journal.ts';
import { callsIn } from './calls.ts';
import { carryOut } from './check.ts';
import { checks } from './checks/index.ts';
import { coverage, faultsOf, tally } from './coverage.ts';
import { situations } from './situations.ts';
import { responseViolations, violations } from './violations.ts';

/** What the journal says about the client: what it covered, where it broke the contract, and how it behaved. */
export type Report = components['schemas']['Report'];

/** Makes the report on everything that a sandbox's journal still has. */
export function makeReport(sandbox: string, { entries, evicted }: Pick<JournalPage, 'entries' | 'evicted'>): Report {
  const calls = callsIn(entries);
  const covered = coverage(calls.attempts);
  return {
    sandbox,
    calls: entries.length,
    evicted,
    from: entries[0]?.at ?? null,
    to: entries.at(-1)?.at ?? null,
    coverage: covered,
    neverCalled: covered.filter((one) => one.calls === 0).map(({ operation }) => operation),
    faultsMet: tally(calls.attempts.flatMap(faultsOf)),
    situations: situations(calls.attempts),
    violations: violations(entries),
    ...responseViolations(entries),
    conduct: checks.map((check) => carryOut(check, calls)),
  };
}
