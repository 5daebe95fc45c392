import { markup, nothing, type Markup } from '../base/markup.ts';
import { guideIndexPath } from './guides.ts';

/**
 * A page of the server for people: its title, its content, and the files that it loads from the server
 * itself.
 */
interface Page {
  readonly title: string;
  /** Its path, to mark it among the links at the top. */
  readonly path: string;
  readonly main: Markup;
  /** The list of guides beside the content; absent on pages that are not guides. */
  readonly sidebar?: Markup;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** The links at the top of every page. */
export const siteLinks: readonly (readonly [path: string, title: string])[] = [
  ['/', 'Start'],
  ['/school', 'School'],
  ['/demo', 'Demo'],
  ['/console', 'Console'],
  [guideIndexPath, 'Guides'],
  ['/docs', 'API reference'],
  ['/docs/control', 'Control plane API'],
];

/** The pages that show the sandboxes of a server. A proxy has none of its own. */
const ofSandboxes: ReadonlySet<string> = new Set(['/school', '/demo']);

/** What pages say of a sandbox, and what the same pages say on a proxy, where that is not so. */
export const words = {
  sender: {
    sandbox: 'The page sends requests to this server, with the API key of the school that you select.',
    proxy:
      'The page sends requests to this server, which forwards them to the service: enter an API key of the service under Authorize.',
  },
  console: {
    sandbox: 'Inspect the requests of your client. Change faults, data, clock and limits.',
    proxy: 'Inspect the requests of your client, and see the report on them.',
  },
} as const;

/** Returns a page as a proxy shows it: without the links at its top that lead nowhere, and with its own words. */
export function forProxy(html: string): string {
  const linked = siteLinks
    .filter(([path]) => ofSandboxes.has(path))
    .reduce((rest, [path, title]) => rest.replace(link(path, title, '').text, ''), html);
  return Object.values(words).reduce((rest, { sandbox, proxy }) => rest.replaceAll(sandbox, proxy), linked);
}

const name = 'Learning Platform Sandbox';

/**
 * Returns the page as HTML. It loads files from this server only, and contains no inline script or style, so
 * that a strict policy can forbid them.
 */
export function toPage({ title, path, main, sidebar, styles = ['/pages.css'], scripts = [] }: Page): string {
  const content = markup`<main id="main">
${main}
</main>`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === name ? name : `${title} · ${name}`}</title>
<link rel="icon" href="/assets/icon.svg">
${styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}
${[...scripts, '/pages.js'].map((src) => markup`<script src="${src}" defer=""></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site"><div>
<nav aria-label="Pages of this server"><ul>
${siteLinks.map(([href, text]) => link(href, text, sidebar === undefined ? path : guideIndexPath))}
</ul></nav>
${searchField}
</div></header>
${sidebar === undefined ? content : withGuides(sidebar, content)}
</body>
</html>
`.text;
}

/** The search in all guides. The script of the page shows it. */
const searchField = markup`<div class="search" role="search" data-index="/docs/search.json" hidden="">
<input type="search" placeholder="Search the guides" aria-label="Search the guides" autocomplete="off" spellcheck="false">
<div class="results" hidden=""><p role="status"></p><ol></ol></div>
</div>`;

/** The content with the list of guides on its left. On a narrow screen, the button opens the list. */
function withGuides(sidebar: Markup, content: Markup): Markup {
  return markup`<div class="with-guides">
<button type="button" class="open-guides" popovertarget="guide-list">All guides</button>
<nav class="guides" id="guide-list" aria-label="Guides" popover="auto">
${sidebar}
</nav>
${content}
</div>`;
}

function link(href: string, text: string, current: string): Markup {
  return markup`<li><a href="${href}"${href === current ? markup` aria-current="page"` : nothing}>${text}</a></li>`;
}

/** Returns a text with a button that copies it. `what` names the text for screen readers. */
export function copyable(id: string, text: string, what: string, form: 'line' | 'block' = 'line'): Markup {
  const shown =
    form === 'line'
      ? markup`<code id="${id}">${text}</code>`
      : markup`<pre id="${id}" tabindex="0" aria-label="${what}">${text}</pre>`;
  return markup`<div class="copyable ${form}">${shown}<button type="button" data-copies="${id}" aria-label="Copy ${what}" hidden="">Copy</button></div>`;
}

/** A link with a sentence about its target. */
export type LinkCard = readonly [href: string, title: string, text: string];

export function linkCards(links: readonly LinkCard[]): Markup {
  return markup`<ul class="cards">
${links.map(([href, title, text]) => markup`<li><a href="${href}">${title}</a><p>${text}</p></li>`)}
</ul>`;
}
