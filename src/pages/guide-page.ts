import { markup, Markup, nothing } from '../base/markup.ts';
import { guideGroups, guidePath } from './guides.ts';
import { toPage } from './page.ts';

/** A heading of a guide, for its table of contents. `depth` is 2 for a section and 3 for a subsection. */
export interface Heading {
  readonly depth: number;
  readonly anchor: string;
  /** As HTML, like the heading itself. */
  readonly html: string;
}

/** A guide as HTML, rendered from the project's own text. */
export interface RenderedGuide {
  readonly heading: string;
  readonly body: string;
  readonly headings: readonly Heading[];
}

/** Returns the page of a guide, with its table of contents and the list of all guides. */
export function guidePage(path: string, title: string, { heading, body, headings }: RenderedGuide): string {
  const main = markup`<article class="guide">
${new Markup(heading)}${contentsOf(headings)}
${new Markup(body)}</article>`;
  return toPage({ title, path, main, sidebar: sidebarOf(path) });
}

/** Returns the list of all guides, with the current one marked. */
export function sidebarOf(current: string): Markup {
  return markup`${guideGroups.map(
    ({ title, guides }) => markup`<h2>${title}</h2>
<ul>${guides.map(({ name, title: guide }) => markup`<li><a href="${guidePath(name)}"${markOf(guidePath(name), current)}>${guide}</a></li>`)}</ul>`,
  )}`;
}

function markOf(path: string, current: string): Markup {
  return path === current ? markup` aria-current="page"` : nothing;
}

/** A page with fewer sections needs no table of contents. */
const minSections = 3;

function contentsOf(headings: readonly Heading[]): Markup {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < minSections) return nothing;
  const items = sections.map((section) => {
    const start = headings.indexOf(section) + 1;
    const next = headings.findIndex(({ depth }, index) => index >= start && depth === 2);
    const below = headings.slice(start, next === -1 ? undefined : next).filter(({ depth }) => depth === 3);
    return markup`<li>${linkTo(section)}${below.length === 0 ? nothing : markup`<ul>${below.map((one) => markup`<li>${linkTo(one)}</li>`)}</ul>`}</li>`;
  });
  return markup`<nav class="contents" aria-labelledby="contents-title"><div>
<h2 id="contents-title">On this page</h2>
<ul>${items}</ul>
</div></nav>`;
}

function linkTo({ anchor, html }: Heading): Markup {
  return markup`<a href="#${anchor}">${new Markup(html)}</a>`;
}
