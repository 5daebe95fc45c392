import { packageVersion } from '../../base/package-files.ts';
import { harEntry, toHar } from '../../control/har.ts';
import { toBaseline } from '../../report/baseline.ts';
import { exchangeOf } from '../../report/evidence/exchanges.ts';
import { toHtml, type CommandFailure } from '../../report/render/html.ts';
import { reportRenderers, type Graded } from '../../report/render/renderings.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { lastOf } from '../last-calls.ts';
import type { Renderers } from '../report-files.ts';

/** A run of a program, for its report files. */
export interface Run extends Graded {
  readonly entries: readonly JournalEntry[];
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
function failureOf({ exitCode, entries }: Run): CommandFailure | null {
  if (exitCode === 0) return null;
  const reason =
    exitCode === null ? 'The command was stopped.' : `The command ended with exit code ${exitCode}.`;
  return { reason, calls: lastOf(entries).map(exchangeOf) };
}

/** The pieces of an HTTP Archive of all calls. */
function* harPieces({ entries, url }: Run): Generator<string> {
  const empty = JSON.stringify(toHar([], packageVersion()));
  const end = ']}}';
  yield empty.slice(0, -end.length);
  for (const [index, entry] of entries.entries())
    yield `${index === 0 ? '' : ',\n'}${JSON.stringify(harEntry(entry, url))}`;
  yield end;
}

export function baselineOf({ report }: Run): string {
  return toBaseline(report);
}
