import { parse } from 'yaml';
import { readPackageFile } from '../base/package-files.ts';
import type { OpenApiDocument } from './openapi.ts';

/** The documents that the package ships in `openapi/`. */
export type DocumentName = 'learning-platform' | 'state' | 'control';

export function documentText(name: DocumentName): string {
  return readPackageFile(`openapi/${name}.yaml`);
}

/** Reads a document. The files are the project's own and linted, so their shape is known. */
export function readDocument(name: DocumentName): OpenApiDocument {
  return parse(documentText(name)) as OpenApiDocument;
}
