/** Makes what `/docs` serves: Swagger UI, the contract with the assumptions at its operations, the written guides as pages, and the formats for other tools. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { assumptionNames, assumptions, profiles } from '../src/assumptions.ts';
import { readDocument } from '../src/contract/document.ts';
import type { OpenApiDocument } from '../src/contract/openapi.ts';
import { assumptionsPage, type Listed } from '../src/pages/assumptions-page.ts';
import { guidePage } from '../src/pages/guide-page.ts';
import { placeOf, referenceDocument, type AskedBy } from '../src/pages/reference-document.ts';
import { referencePage } from '../src/pages/reference-page.ts';
import { askedBy } from './asked-by.ts';
import { guides, renderGuide } from './render-guide.ts';
import { replaceFiles } from './replace-files.ts';

/** Makes the folder hold all of it. */
export async function buildReference(folder: string, options: { readonly clean: boolean }): Promise<void> {
  const contract = readDocument('learning-platform');
  const asked = await askedBy(contract);
  const html = Object.entries(pages(contract, asked)).map(([name, text]): [string, string] => [`${name}.html`, text]);
  const documents: [string, string | Uint8Array][] = [
    ['openapi.json', JSON.stringify(referenceDocument(contract, asked))],
    ['control.json', JSON.stringify(readDocument('control'))],
    ['report.schema.json', readFileSync('openapi/report.schema.json')],
    ['postman.json', readFileSync('examples/postman.json')],
    ['requests.http', readFileSync('examples/requests.http')],
  ];
  replaceFiles(folder, new Map([...html, ...documents, ...swaggerUi(), ...(await ownFiles(folder))]), options);
}

/** Swagger UI as its package has it, with what its licences want passed on. */
function swaggerUi(): readonly [string, string][] {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist'));
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];
  return files.map((file) => [/^[A-Z]+$/.test(file) ? `swagger-ui.${file}.txt` : file, withoutMap(readFileSync(join(root, file), 'utf8'))]);
}

/** The map is not shipped, so nothing may ask for it. */
function withoutMap(text: string): string {
  return text.replace(/\/\*# sourceMappingURL=\S+\*\//, '');
}

function pages(contract: OpenApiDocument, asked: AskedBy): Readonly<Record<string, string>> {
  const written = Object.entries(guides).map(([name, title]) => {
    const html = renderGuide(readFileSync(`docs/${name}.md`, 'utf8'));
    return [name, guidePage(`/docs/${name}`, title, html)] as const;
  });
  return {
    index: operationsPage,
    control: controlPage,
    assumptions: assumptionsPage(listed(contract, asked), profiles),
    ...Object.fromEntries(written),
  };
}

const operationsPage = referencePage({
  path: '/docs',
  title: 'Reference',
  document: '/docs/openapi.json',
  canTry: true,
  lead: 'Every operation, with the assumptions that touch it. Calls go to this server, with a key of it filled in.',
});

const controlPage = referencePage({
  path: '/docs/control',
  title: 'Control plane',
  document: '/docs/control.json',
  canTry: false,
  lead: 'What can be looked at and arranged from outside, over HTTP.',
});

function listed(contract: OpenApiDocument, asked: AskedBy): readonly Listed[] {
  return assumptionNames.map((name) => {
    const at = Object.entries(asked).flatMap(([operation, names]) => (names.includes(name) ? [operation] : []));
    const operations = at.map((operation) => ({ name: operation, href: placeOf(contract, operation) }));
    return { name, ...assumptions[name], operations: operations.length === 0 ? null : operations };
  });
}

/** The style sheets and scripts of the project itself. */
async function ownFiles(folder: string): Promise<readonly [string, Uint8Array][]> {
  const { outputFiles } = await build({
    entryPoints: [
      { in: 'src/pages/pages.css', out: 'pages' },
      { in: 'src/pages/browser/copy.ts', out: 'pages' },
      { in: 'src/pages/reference.css', out: 'reference' },
      { in: 'src/pages/browser/show-reference.ts', out: 'reference' },
    ],
    outdir: folder,
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  });
  return outputFiles.map(({ path, contents }) => [basename(path), contents]);
}
