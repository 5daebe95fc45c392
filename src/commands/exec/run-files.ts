import { packageVersion } from '../../base/package-files.ts';
import { harEntry, toHar } from '../../control/har.ts';
import { toBaseline } from '../../report/baseline.ts';
import { reportRenderers, type Graded } from '../../report/render/renderings.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Renderers } from '../report-files.ts';

/** A run of a program, for its report files. */
export interface Run extends Graded {
  readonly entries: readonly JournalEntry[];
  /** The URL of the server. */
  readonly url: string;
}

export const runRenderers: Renderers<Run> = { ...reportRenderers, har: harPieces };

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
