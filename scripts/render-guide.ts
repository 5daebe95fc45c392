import { existsSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { escapedXml } from '../src/base/escape.ts';
import type { Heading, RenderedGuide } from '../src/pages/guide-page.ts';
import { guideIndexPath, guidePath, guides } from '../src/pages/guides.ts';

/** The paths at which the server serves files of the repository that the guides link to. */
const served: Readonly<Record<string, string>> = {
  'README.md': guideIndexPath,
  '../openapi/control.yaml': '/docs/control',
  '../openapi/learning-platform.yaml': '/docs',
  '../openapi/report.schema.json': '/docs/report.schema.json',
};

/** The origin of links that the guides have for readers outside a running server. */
const writtenOrigin = 'http://127.0.0.1:4010';

/**
 * Renders a guide: headings with the anchors of GitHub, links to the pages of the server, and a copy button
 * on every code block.
 */
export function renderGuide(text: string): RenderedGuide {
  const seen = new Map<string, number>();
  const headings: Heading[] = [];
  let codeBlocks = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const html = this.parser.parseInline(tokens);
        const anchor = unlike(anchorOf(heading), seen);
        headings.push({ depth, anchor, html });
        return `<h${depth} id="${anchor}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? content : `<a href="${target}">${content}</a>`;
      },
      // The server does not serve the pictures of the repository.
      image: () => '',
      // Comments are for editors of the page.
      html: ({ text: html }) => html.replaceAll(/<!--[^]*?-->\s*/g, ''),
      code({ text: code, lang }) {
        codeBlocks += 1;
        return codeBlock(`code-${codeBlocks}`, code, labelOf(lang));
      },
      table(table: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = table.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n<thead>${cells(table.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  const start = html.indexOf('</h1>\n') + '</h1>\n'.length;
  return { heading: html.slice(0, start), body: html.slice(start), headings };
}

function codeBlock(id: string, code: string, label: string): string {
  const kind = label === command ? ' class="command"' : '';
  const shown = `<pre id="${id}"${kind} tabindex="0" role="group" aria-label="${label}"><code>${escapedXml(code)}\n</code></pre>`;
  const button = `<button type="button" data-copies="${id}" aria-label="Copy the ${label.toLowerCase()}" hidden="">Copy</button>`;
  return `<div class="copyable block">${shown}${button}</div>\n`;
}

/** Returns the target of a link on the server; null if only the repository has the file. */
function targetOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href.startsWith(`${writtenOrigin}/`)) return href.slice(writtenOrigin.length);
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guides.some((guide) => guide.name === name)) return `${guidePath(name)}${anchor}`;
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

const command = 'Command';

function labelOf(language = ''): string {
  if (language === 'sh' || language === 'shell') return command;
  return language === '' || language === 'text' ? 'Output' : `Code, ${language}`;
}
