/**
 * Builds the files of `examples/` that are derived from the OpenAPI document: the imports for other tools,
 * and the types of the client.
 */
import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../src/contract/document.ts';
import { contractExamples } from './contract-examples.ts';
import { httpFile } from './generate-http-file.ts';
import { postmanCollection } from './generate-postman.ts';
import { replaceFile, type Files } from './replace-files.ts';

/** Returns the files that other tools import, which the server serves too. */
export function importableFiles(): Files {
  const examples = contractExamples(readDocument('learning-platform'));
  return new Map([
    ['postman.json', `${JSON.stringify(postmanCollection(examples), null, 2)}\n`],
    ['requests.http', httpFile(examples)],
  ]);
}

/** Writes all of them into `examples/`, where the package and the tests find them. */
export async function buildExamples(): Promise<void> {
  for (const [name, text] of importableFiles()) replaceFile(join('examples', name), text);
  const types = 'examples/typescript-client/learning-platform.ts';
  // The generator takes seconds, and each start from the sources builds.
  if (!isOlder(types, ['openapi/learning-platform.yaml', 'package-lock.json'])) return;
  const { default: openapiTypescript, astToString, COMMENT_HEADER } = await import('openapi-typescript');
  // The same text as the command in the client's own package.json writes.
  const ast = await openapiTypescript(new URL('../openapi/learning-platform.yaml', import.meta.url));
  replaceFile(types, `${COMMENT_HEADER}${astToString(ast)}`);
  const now = new Date();
  utimesSync(types, now, now);
}

function isOlder(file: string, sources: readonly string[]): boolean {
  return !existsSync(file) || sources.some((source) => statSync(source).mtimeMs > statSync(file).mtimeMs);
}
