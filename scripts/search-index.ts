import { assumptions } from '../src/assumptions.ts';
import { operationOf, type OpenApiDocument } from '../src/contract/openapi.ts';
import type { Section } from '../src/pages/browser/find-sections.ts';
import type { RenderedGuide } from '../src/pages/guide-page.ts';
import { guidePath } from '../src/pages/guides.ts';
import { placeOf } from '../src/pages/reference-document.ts';

interface NamedGuide extends RenderedGuide {
  readonly name: string;
  readonly title: string;
}

/**
 * Returns the index of the search: a section for every heading of the guides, every assumption and every
 * operation.
 */
export function searchIndex(guides: readonly NamedGuide[], contract: OpenApiDocument): readonly Section[] {
  return [...guides.flatMap(guideSections), ...assumptionSections(), ...operationSections(contract)];
}

/** Splits a guide at its headings. The text before the second heading belongs to the page. */
function guideSections({ name, title, heading, body }: NamedGuide): readonly Section[] {
  return [...`${heading}${body}`.matchAll(/<h\d id="([^"]+)">(.*?)<\/h\d>\n([^]*?)(?=<h\d id=|$)/g)].map(
    ([, anchor = '', html = '', content = ''], index) => ({
      page: title,
      title: index === 0 ? title : plainText(html),
      href: index === 0 ? guidePath(name) : `${guidePath(name)}#${anchor}`,
      text: plainText(content),
    }),
  );
}

function assumptionSections(): readonly Section[] {
  return Object.entries(assumptions).map(([name, { question, options, why }]) => ({
    page: 'Assumptions',
    title: name,
    href: `${guidePath('assumptions')}#${name}`,
    text: [question, ...Object.entries(options).flat(), why].join(' '),
  }));
}

function operationSections(contract: OpenApiDocument): readonly Section[] {
  return Object.entries(contract.paths).map(([path, { post }]) => ({
    page: 'API reference',
    title: operationOf(path),
    href: placeOf(contract, operationOf(path)),
    text: post.summary,
  }));
}

/** Returns the text of HTML that this project rendered. */
function plainText(html: string): string {
  const text = html
    .replaceAll(/<button[^]*?<\/button>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const entities: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);
}
