import { Markup } from '../base/markup.ts';
import { toPage } from './page.ts';

/** A written guide as a page. `html` is the project's own text, rendered. */
export function guidePage(path: string, title: string, html: string): string {
  return toPage({ title, path, main: new Markup(`<article class="guide">\n${html}</article>`) });
}
