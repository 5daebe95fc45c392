import { markup, nothing, type Markup } from '../base/markup.ts';

/** A page of the server for people: what it is called, what stands on it, and what it loads from the server itself. */
interface Page {
  readonly title: string;
  /** Where it is, to mark it among the links at the top. */
  readonly path: string;
  readonly main: Markup;
  /** Other style sheets and scripts than those of pages to read. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** The pages that every page leads to. */
export const siteLinks: readonly (readonly [path: string, title: string])[] = [
  ['/', 'Start'],
  ['/console', 'Console'],
  ['/docs', 'Reference'],
  ['/docs/control', 'Control plane'],
  ['/docs/failures', 'Failures'],
  ['/docs/assumptions', 'Assumptions'],
  ['/docs/report', 'Report'],
  ['/docs/playback', 'Recordings'],
  ['/docs/ci', 'CI'],
  ['/docs/other-tools', 'Other tools'],
  ['/docs/proxy', 'Real service'],
  ['/docs/generated-data', 'Data'],
  ['/docs/specification', 'Specification'],
];

/** The pages that those lead to. */
export const furtherPages = ['/docs/calibrate', '/docs/recorded-data', '/docs/server-limits'] as const;

const name = 'Learning Platform Sandbox';

/** The whole page as HTML. Nothing on it comes from elsewhere, and nothing is written into it that a strict policy forbids. */
export function toPage({ title, path, main, styles = ['/pages.css'], scripts = ['/pages.js'] }: Page): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === name ? name : `${title} · ${name}`}</title>
<link rel="icon" href="data:,">
${styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => markup`<script src="${src}" defer=""></script>`)}
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="site">
<nav aria-label="Pages of this server"><ul>
${siteLinks.map(([href, text]) => link(href, text, path))}
</ul></nav>
</header>
<main id="main">
${main}
</main>
</body>
</html>
`.text;
}

function link(href: string, text: string, current: string): Markup {
  return markup`<li><a href="${href}"${href === current ? markup` aria-current="page"` : nothing}>${text}</a></li>`;
}

/** Something to take as it stands: shown, and copied at the press of a button. `what` names it to those who hear the page. */
export function copyable(id: string, text: string, what: string, form: 'line' | 'block' = 'line'): Markup {
  const shown =
    form === 'line' ? markup`<code id="${id}">${text}</code>` : markup`<pre id="${id}" tabindex="0" aria-label="${what}">${text}</pre>`;
  return markup`<div class="copyable ${form}">${shown}<button type="button" data-copies="${id}" aria-label="Copy ${what}" hidden="">Copy</button></div>`;
}
