import { packageVersion } from '../../base/package-files.ts';
import { harEntry, toHar } from '../../control/har.ts';
import { toBaseline } from '../../report/baseline.ts';
import { exchangeOf } from '../../report/evidence/exchanges.ts';
import { toHtml, type CommandFailure } from '../../report/render/html.ts';
import { reportRenderers, type Graded } from '../../report/render/renderings.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import { toEntry, type StoredEntry } from '../../sandbox/journal-entry.ts';
import { lastOf, maxSought } from '../last-calls.ts';
import type { Renderers } from '../report-files.ts';

/** A run of a program, for its report files. */
export interface Run extends Graded {
  readonly stored: readonly StoredEntry[];
  /** When the files must be complete, as a time of `stopwatch`. Null if that may take as long as it needs. */
  readonly deadline: number | null;
  /** The URL of the server. */
  readonly url: string;
  /** Null if a signal or a timeout ended the program. */
  readonly exitCode: number | null;
}

export const runRenderers: Renderers<Run> = {
  ...reportRenderers,
  html: (run) => toHtml(run.report, run.thresholds, failureOf(run)),
  har: harPieces,
};

/** Returns how the program failed, with its last calls; null if it passed. */
function failureOf({ exitCode, stored }: Run): CommandFailure | null {
  if (exitCode === 0) return null;
  const reason =
    exitCode === null ? 'The command was stopped.' : `The command ended with exit code ${exitCode}.`;
  return { reason, calls: lastOf(stored.slice(-maxSought).map(toEntry)).map(exchangeOf) };
}

/** The pieces of an HTTP Archive of all calls, or of the first ones if there is no time for all. */
function* harPieces({ stored, url, deadline }: Run): Generator<string> {
  const empty = JSON.stringify(toHar([], packageVersion()));
  const end = '}}';
  yield empty.slice(0, -(end.length + 1));
  let written = 0;
  for (const one of stored) {
    if (deadline !== null && stopwatch() >= deadline) break;
    yield `${written === 0 ? '' : ',\n'}${JSON.stringify(harEntry(toEntry(one), url))}`;
    written += 1;
  }
  const comment = `Only the first ${written} of ${stored.length} calls, because the command was stopped.`;
  yield written === stored.length ? `]${end}` : `],"comment":${JSON.stringify(comment)}${end}`;
}

export function baselineOf({ report }: Run): string {
  return toBaseline(report);
}
