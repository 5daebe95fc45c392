import { jsonText } from '../../base/escape.ts';
import { toHtml } from './html.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from '../report.ts';
import type { Thresholds } from '../thresholds.ts';

/** A report with the thresholds that were set for it. */
export interface Graded {
  readonly report: Report;
  readonly thresholds: Thresholds;
}

type Render = (report: Report, thresholds?: Thresholds) => string;

/** The formats of a report, by suffix. JUnit and HTML depend on the thresholds. */
export const renderings: Readonly<Record<string, { readonly type: string; readonly render: Render }>> = {
  json: {
    type: 'application/json; charset=utf-8',
    render: (report) => jsonText(report),
  },
  html: {
    type: 'text/html; charset=utf-8',
    render: (report, thresholds) => toHtml(report, thresholds),
  },
  'junit.xml': { type: 'application/xml; charset=utf-8', render: toJunit },
  md: { type: 'text/markdown; charset=utf-8', render: toMarkdown },
};

/** The renderers for report files, by suffix. */
export const reportRenderers: Readonly<Record<string, (graded: Graded) => string>> = Object.fromEntries(
  Object.entries(renderings).map(([suffix, { render }]) => [
    suffix,
    ({ report, thresholds }) => render(report, thresholds),
  ]),
);
