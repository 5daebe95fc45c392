import { readBatch } from '../../answer/read-batch.ts';
import type { ParameterChecks } from '../../contract/parameter-checks.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import type { Violation } from '../../base/violation.ts';
import { withoutPause } from '../../base/sliced-work.ts';

/** A request body larger than this is searched for the first violation of each element only. In characters. */
const maxForAll = 100 * 1024;

/** Violations told one by one; there is no end to what a request can get wrong. */
const maxListed = 50;

/** What is wrong with the body of a call, in the words in which the sandbox itself says it. */
export function explainRequest(
  operation: OperationName,
  headers: Readonly<Record<string, string>>,
  text: string,
  checks: ParameterChecks,
): readonly Violation[] {
  // Decompressed, it is read as if it had come so.
  const header = (name: string): string | undefined => (name === 'content-encoding' ? undefined : headers[name]);
  const batch = withoutPause(readBatch({ operation, body: text, header }));
  if ('violations' in batch) return batch.violations;
  // A limit of this server is none of the service.
  if (!('elements' in batch)) return [];
  const thoroughness = text.length > maxForAll ? 'first' : 'every';
  const found: Violation[] = [];
  for (const [index, parameters] of batch.elements.entries()) {
    if (found.length >= maxListed) break;
    found.push(...checks[operation](parameters, `/data/${index}/data`, thoroughness));
  }
  return found.slice(0, maxListed);
}
