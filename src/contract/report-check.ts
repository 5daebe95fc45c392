import { parseKnown } from '../base/parse-known.ts';
import { readPackageFile } from '../base/package-files.ts';
import type { Violation } from '../base/violation.ts';
import { createAjv } from './compile.ts';
import { explain } from './explain.ts';
import type { Schema } from './openapi.ts';

/** Returns a function that finds the first violation of a report in JSON. It is compiled once, on use. */
export function reportChecker(): (report: unknown) => readonly Violation[] {
  // The build writes the file.
  const schema = parseKnown<Schema>(readPackageFile('openapi/report.schema.json'));
  const validate = createAjv('functions', 'first').compile(schema);
  return (report) => (validate(report) ? [] : explain(validate.errors ?? [], ''));
}
