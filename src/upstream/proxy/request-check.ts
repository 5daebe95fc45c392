import { readBatch } from '../../answer/read-batch.ts';
import type { ParameterChecks } from '../../contract/parameter-checks.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import type { Violation } from '../../base/violation.ts';
import { withoutPause } from '../../base/sliced-work.ts';

/** In larger request bodies, only the first violation of each element is reported. In characters. */
const maxForAll = 100 * 1024;

/** Maximum number of violations listed; a request can have any number. */
const maxListed = 50;

/** Returns the violations of a request body, worded as in the sandbox itself. */
export function explainRequest(
  operation: OperationName,
  headers: Readonly<Record<string, string>>,
  text: string,
  checks: ParameterChecks,
): readonly Violation[] {
  // After decompression, the body is treated as if it had arrived uncompressed.
  const header = (name: string): string | undefined => (name === 'content-encoding' ? undefined : headers[name]);
  const batch = withoutPause(readBatch({ operation, body: text, header }));
  if ('violations' in batch) return batch.violations;
  // The limits of this server do not apply to the service.
  if (!('elements' in batch)) return [];
  const thoroughness = text.length > maxForAll ? 'first' : 'every';
  const found: Violation[] = [];
  for (const [index, parameters] of batch.elements.entries()) {
    if (found.length >= maxListed) break;
    found.push(...checks[operation](parameters, `/data/${index}/data`, thoroughness));
  }
  return found.slice(0, maxListed);
}
