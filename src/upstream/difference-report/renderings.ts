import { jsonText } from '../../base/escape.ts';
import { toHtml } from './html.ts';
import { toJunit } from './junit.ts';
import { isCovered, type DifferenceReport, type Tolerance } from './report.ts';

/** A report with the differences that do not fail the run. */
export interface Judged {
  readonly report: DifferenceReport;
  readonly tolerance: Tolerance;
}

/** The renderers for report files, by suffix. */
export const differenceRenderers: Readonly<Record<string, (judged: Judged) => string>> = {
  json: toJson,
  html: ({ report, tolerance }) => toHtml(report, tolerance),
  'junit.xml': ({ report, tolerance }) => toJunit(report, tolerance),
};

function toJson({ report, tolerance }: Judged): string {
  const differences = report.differences.map((one) => ({ ...one, isCovered: isCovered(one, tolerance) }));
  return jsonText({ ...report, differences });
}
