import { escapedXml } from './escape.ts';
import { outcomesText, summaryOf } from './markdown.ts';
import type { Report } from './report.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8886}' +
  'code{font-family:ui-monospace,monospace}.never{opacity:.65}';

/** The report as a page that needs nothing else. */
export function toHtml(report: Report): string {
  const title = `What the client did in sandbox ${report.sandbox}`;
  const rows = report.coverage.map(
    ({ operation, calls, outcomes }) =>
      `<tr${calls === 0 ? ' class="never"' : ''}><td><code>${operation}</code></td><td>${calls}</td><td>${escapedXml(outcomesText(outcomes))}</td></tr>`,
  );
  const broken = report.violations.map(
    ({ operation, pointer, message, count, requestIds }) =>
      `<li><code>${operation}</code> ${count}×: <code>${escapedXml(pointer)}</code> ${escapedXml(message)} (${escapedXml(requestIds.join(', '))})</li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapedXml(title)}</title><style>${style}</style></head>
<body><h1>${escapedXml(title)}</h1><p>${escapedXml(summaryOf(report))}</p>
<table><thead><tr><th>Operation</th><th>Calls</th><th>Outcomes</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<h2>Requests that break the contract</h2>
${broken.length === 0 ? '<p>None.</p>' : `<ul>\n${broken.join('\n')}\n</ul>`}
</body></html>
`;
}
