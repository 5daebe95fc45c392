import { keyHeaderViolations } from '../../answer/key-header.ts';
import { readBatch } from '../../answer/read-batch.ts';
import type { ParameterChecks } from '../../contract/parameter-checks.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import { withoutMark } from '../../base/utf8.ts';
import type { Violation } from '../../base/violation.ts';
import type { ServerLimits } from '../../base/server-limits.ts';
import { isSliced, type SlicedWork } from '../../base/sliced-work.ts';
import type { ProxiedCall } from './messages.ts';

/** Maximum number of violations listed; a request can have any number. */
const maxListed = 50;

/** A request body to check. */
interface RequestBody {
  readonly operation: OperationName;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly thoroughness: 'every' | 'first';
}

/** A request body after its check. */
export interface CheckedRequest {
  readonly violations: readonly Violation[];
  /** The number of its elements. Null if it is not a batch, or was not read. */
  readonly elements: number | null;
}

/** Finds the violations of a request body, worded as in the sandbox itself. */
export function* explainingRequest(
  { operation, headers, text, thoroughness }: RequestBody,
  checks: ParameterChecks,
  caps: ServerLimits,
): SlicedWork<CheckedRequest> {
  // After decompression, the body is treated as if it had arrived uncompressed.
  const header = (name: string): string | undefined =>
    name === 'content-encoding' ? undefined : headers[name];
  const read = readBatch(
    { operation, body: withoutMark(text), invalidByte: null, header },
    { ...caps, batchElements: caps.jsonValues },
  );
  const batch = isSliced(read) ? yield* read : read;
  if ('violations' in batch) return { violations: batch.violations, elements: null };
  // The limits of this server do not apply to the service.
  if (!('elements' in batch)) return { violations: [], elements: null };
  const found: Violation[] = [];
  for (const [index, parameters] of batch.elements.entries()) {
    if (found.length >= maxListed) break;
    const wrong = checks[operation](parameters, `/data/${index}/data`, thoroughness, maxListed);
    found.push(...wrong.slice(0, maxListed));
    yield;
  }
  return { violations: found.slice(0, maxListed), elements: batch.elements.length };
}

/** Finds the violations of the key header, worded as in the sandbox itself. Bodies are not searched for a key. */
export function ofKeyHeader(
  { headers, query }: Pick<ProxiedCall, 'headers' | 'query'>,
  byName: Readonly<Record<string, string>>,
): readonly Violation[] {
  return keyHeaderViolations({ headers, query, body: '', header: (name) => byName[name] });
}
