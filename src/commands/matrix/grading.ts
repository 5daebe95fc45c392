import type { Report } from '../../report/report.ts';
import { judge, missedThresholds, toleranceNotes, type Thresholds } from '../../report/thresholds.ts';
import { withFindings } from '../../report/baseline.ts';
import type { Given } from '../command.ts';
import { readThresholds } from '../thresholds.ts';
import { allowedFindings } from './selection.ts';

/** Grades the runs. Coverage is that of all runs together, everything else is that of each run. */
export class Grading {
  /** The findings that are allowed, by the prefixes of their ids. */
  readonly allowed: readonly string[];
  readonly #each: Thresholds;
  readonly #all: Thresholds;
  /** The file for the findings of all runs, or null. They fail no run. */
  readonly newBaseline: string | null;

  /** Throws SandboxError for usage errors. */
  constructor(given: Given) {
    this.allowed = allowedFindings(given);
    const flags = new Map([...given].filter(([name]) => name !== 'allow'));
    const thresholds = readThresholds(
      this.allowed.length === 0 ? flags : flags.set('allow', [this.allowed.join(',')]),
    );
    this.#each = { ...thresholds, minCoverage: {} };
    this.#all = { ...thresholds, failOn: [] };
    this.newBaseline = given.get('write-baseline')?.at(-1) ?? null;
  }

  /** Returns the thresholds for a run. */
  thresholdsFor(report: Report): Thresholds {
    return this.newBaseline === null ? this.#each : withFindings(this.#each, report);
  }

  /** Returns a sentence for each threshold that a run misses. */
  missedBy(report: Report): readonly string[] {
    return missedThresholds(report, this.thresholdsFor(report));
  }

  /** Returns the ids of the findings that fail a run, in order. */
  failingIn(report: Report): readonly string[] {
    const { failing } = judge(report, this.thresholdsFor(report));
    return [...new Set(failing.map(({ id }) => id))].toSorted();
  }

  /** Returns a sentence for each threshold that all runs together miss. */
  missedByAll(report: Report): readonly string[] {
    return missedThresholds(report, this.#all);
  }

  /** Returns notes on the findings of all runs that fail none. */
  notes(report: Report): readonly string[] {
    return toleranceNotes(judge(report, this.thresholdsFor(report)));
  }
}
