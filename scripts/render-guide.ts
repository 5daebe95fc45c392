import { existsSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';

/** The guides of docs/ that the server serves, with their titles. */
export const guides = {
  failures: 'Failing on purpose',
  report: 'The report',
  playback: 'Recordings',
  ci: 'In the CI of a client',
  calibrate: 'What the real service shows',
  'other-tools': 'In other tools',
  proxy: 'Checked against the real service',
  'recorded-data': 'A seed from the real service',
  'generated-data': 'Generated data',
  'server-limits': 'Limits of this server',
  specification: 'The specification',
} as const;

/** Where the server has what the guides refer to in the repository. */
const served: Readonly<Record<string, string>> = {
  '../README.md#assumptions': '/docs/assumptions',
  '../openapi/control.yaml': '/docs/control',
  '../openapi/learning-platform.yaml': '/docs',
  '../openapi/report.schema.json': '/docs/report.schema.json',
  '../examples/postman.json': '/docs/postman.json',
  '../examples/requests.http': '/docs/requests.http',
};

/** A page of docs/ as HTML: headings with anchors as GitHub makes them, links that lead where the server has what they mean. */
export function renderGuide(text: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${unlike(anchorOf(heading), seen)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? content : `<a href="${target}">${content}</a>`;
      },
      // Comments are for those who edit the page.
      html: ({ text: html }) => html.replaceAll(/<!--[^]*?-->\s*/g, ''),
      code({ text: code, lang }) {
        return `<pre tabindex="0" role="region" aria-label="${labelOf(lang)}"><code>${escaped(code)}\n</code></pre>\n`;
      },
      table(table: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = table.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n<thead>${cells(table.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** Where a link leads on the server; null where it has no such thing, because it is only in the repository. */
function targetOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  const guide = /^([\w-]+)\.md(#.*)?$/.exec(href);
  if (guide?.[1] !== undefined && guide[1] in guides) return `/docs/${guide[1]}${guide[2] ?? ''}`;
  const known = served[href];
  if (known !== undefined) return known;
  if (existsSync(`docs/${href.split('#')[0]}`)) return null;
  throw new Error(`A page of docs/ links to ${href}, which is neither in the repository nor served.`);
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The second heading of one text gets a number, as on GitHub. */
function unlike(anchor: string, seen: Map<string, number>): string {
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function labelOf(language = ''): string {
  if (language === 'sh') return 'Command';
  return language === '' || language === 'text' ? 'Output' : `Code, ${language}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
