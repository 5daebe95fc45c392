import { Markup, markup, nothing } from '../../base/markup.ts';
import { style } from './html-style.ts';

/** Returns a time for people and programs. The time of day does not wrap. */
export function moment(iso: string): Markup {
  const [date = '', time = ''] = iso.replace(/Z$/, '').split('T');
  return markup`<time datetime="${iso}">${date} <span class="whole">${time}</span></time>`;
}

/** Returns items separated by commas. */
export function listed(items: readonly Markup[]): Markup {
  return markup`${items.map((item, index) => (index === items.length - 1 ? item : markup`${item},`))}`;
}

/** Returns texts as code, separated by commas. */
export function codes(texts: readonly string[]): Markup {
  return listed(texts.map((text) => markup`<code>${text}</code>`));
}

/** Returns request ids, separated by commas. The console makes each a link to its journal entry. */
export function requests(ids: readonly string[]): Markup {
  return listed(ids.map((id) => markup`<code class="request">${id}</code>`));
}

/** Returns the header of a column of numbers. */
export function numberHead(head: string): Markup {
  return markup`<th scope="col" class="number">${head}</th>`;
}

/** Returns a table that scrolls on narrow screens. It can be focused, so that keys scroll it too. */
export function table(
  caption: string,
  heads: readonly (string | Markup)[],
  bodies: Markup,
  captionIs: 'shown' | 'told above' = 'shown',
): Markup {
  const hidden = captionIs === 'shown' ? nothing : markup` class="unseen"`;
  const cells = heads.map((head) => (typeof head === 'string' ? markup`<th scope="col">${head}</th>` : head));
  return markup`<div class="wide" role="group" aria-label="${caption}" tabindex="0"><table>
<caption${hidden}>${caption}</caption>
<thead><tr>${cells}</tr></thead>
${bodies}
</table></div>`;
}

export function folded(summary: Markup, content: Markup): Markup {
  return markup`<details><summary>${summary}</summary>\n${content}\n</details>`;
}

export function section(id: string, title: string, content: readonly Markup[]): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`;
}

/** Returns a self-contained page without scripts. */
export function reportPage(title: string, header: Markup, main: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${header}
</header>
<main>
${main}
</main>
</body>
</html>
`.text;
}
