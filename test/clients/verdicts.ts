import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('verdicts.json', import.meta.url);

/** What the report says of each client: `docs/report.md` has it as two tables. */
export interface Verdicts {
  readonly exemplary: readonly {
    readonly name: string;
    readonly is: string;
    readonly runs: number;
    /** Runs with a finding. */
    readonly accused: number;
  }[];
  readonly bad: readonly {
    readonly name: string;
    readonly is: string;
    /** The check that found it; null if it did not. */
    readonly foundBy: string | null;
    /** Whether the journal does not show the defect for certain, so that the check may not judge it. */
    readonly mayBeNotJudged?: true;
  }[];
}

export function readVerdicts(): Verdicts {
  // Written by `writeVerdicts`, and compared with each run.
  return JSON.parse(readFileSync(file, 'utf8')) as Verdicts;
}

export function writeVerdicts(verdicts: Verdicts): void {
  writeFileSync(file, `${JSON.stringify(verdicts, null, 2)}\n`);
}
