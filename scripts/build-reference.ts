/**
 * Builds what `/docs` serves: Swagger UI, the OpenAPI documents, the guides as pages, the index of their
 * search, and the formats for other tools.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { assumptionNames, assumptions, profiles } from '../src/assumptions.ts';
import { readDocument } from '../src/contract/document.ts';
import type { OpenApiDocument } from '../src/contract/openapi.ts';
import { assumptionsPage, type Listed } from '../src/pages/assumptions-page.ts';
import { guidePage, type RenderedGuide } from '../src/pages/guide-page.ts';
import { placeOf, referenceDocument, type AskedBy } from '../src/pages/reference-document.ts';
import { words } from '../src/pages/page.ts';
import { referencePage } from '../src/pages/reference-page.ts';
import { sharedResponsesSection } from '../src/pages/shared-responses.ts';
import { askedBy } from './asked-by.ts';
import { importableFiles } from './build-examples.ts';
import { guideIndexPath, guidePath, guides } from '../src/pages/guides.ts';
import { renderGuide } from './render-guide.ts';
import { replaceFiles } from './replace-files.ts';
import { searchIndex } from './search-index.ts';

/** Writes all of it into the folder. */
export async function buildReference(folder: string, options: { readonly clean: boolean }): Promise<void> {
  const contract = readDocument('learning-platform');
  const asked = await askedBy(contract);
  const html = Object.entries(pages(contract, asked)).map(([name, text]): [string, string] => [
    `${name}.html`,
    text,
  ]);
  const documents: [string, string | Uint8Array][] = [
    [
      'search.json',
      JSON.stringify(
        searchIndex(
          written.map(({ name, title }) => ({ name, title, ...readGuide(name) })),
          contract,
        ),
      ),
    ],
    ['openapi.json', JSON.stringify(referenceDocument(contract, asked))],
    ['control.json', JSON.stringify(readDocument('control'))],
    ['report.schema.json', readFileSync('openapi/report.schema.json')],
    ...importableFiles(),
  ];
  replaceFiles(
    folder,
    new Map([...html, ...documents, ...swaggerUi(), ...(await ownFiles(folder))]),
    options,
  );
}

/** Swagger UI as in its package, with the license texts that must accompany it. */
function swaggerUi(): readonly [string, string][] {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist'));
  const files = [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ];
  return files.map((file) => [
    /^[A-Z]+$/.test(file) ? `swagger-ui.${file}.txt` : file,
    withoutMap(readFileSync(join(root, file), 'utf8')),
  ]);
}

/** The source map is not shipped, so no file may refer to it. */
function withoutMap(text: string): string {
  return text.replace(/\/\*# sourceMappingURL=\S+\*\//, '');
}

/**
 * The guides that are rendered from their text. The page of assumptions has more than `docs/assumptions.md`.
 */
const written = guides.filter(({ name }) => name !== 'assumptions');

function readGuide(name: string): RenderedGuide {
  return renderGuide(readFileSync(`docs/${name}.md`, 'utf8'));
}

function pages(contract: OpenApiDocument, asked: AskedBy): Readonly<Record<string, string>> {
  return {
    index: operationsPage(contract),
    control: controlPage,
    assumptions: assumptionsPage(listed(contract, asked), profiles),
    guides: guidePage(guideIndexPath, 'Guides', readGuide('README')),
    ...Object.fromEntries(
      written.map(({ name, title }) => [name, guidePage(guidePath(name), title, readGuide(name))]),
    ),
  };
}

function operationsPage(contract: OpenApiDocument): string {
  return referencePage({
    path: '/docs',
    title: 'API reference',
    document: '/docs/openapi.json',
    canTry: true,
    lead: `Every operation with its assumptions. ${words.sender.sandbox}`,
    shared: sharedResponsesSection(contract),
  });
}

const controlPage = referencePage({
  path: '/docs/control',
  title: 'Control plane API',
  document: '/docs/control.json',
  canTry: false,
  lead: 'The HTTP requests that inspect and change sandboxes.',
});

function listed(contract: OpenApiDocument, asked: AskedBy): readonly Listed[] {
  return assumptionNames.map((name) => {
    const at = Object.entries(asked).flatMap(([operation, names]) =>
      names.includes(name) ? [operation] : [],
    );
    const operations = at.map((operation) => ({ name: operation, href: placeOf(contract, operation) }));
    return { name, ...assumptions[name], operations: operations.length === 0 ? null : operations };
  });
}

/** The style sheets and scripts of the project itself. */
async function ownFiles(folder: string): Promise<readonly [string, Uint8Array][]> {
  const { outputFiles } = await build({
    entryPoints: [
      { in: 'src/pages/pages.css', out: 'pages' },
      { in: 'src/pages/browser/pages.ts', out: 'pages' },
      { in: 'src/pages/reference.css', out: 'reference' },
      { in: 'src/pages/browser/show-reference.ts', out: 'reference' },
    ],
    outdir: folder,
    write: false,
    bundle: true,
    // A page loads several scripts, which must not share their names.
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  });
  return outputFiles.map(({ path, contents }) => [basename(path), contents]);
}
