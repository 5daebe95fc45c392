import { fieldUse } from '../contract/field-use.ts';
import { paragraph, type Violation } from '../contract/violation.ts';
import type { Exchange } from './exchange.ts';
import { batchProcessing } from './batch-processing.ts';
import type { Injection } from './injection.ts';
import type { Batch, MalformedBody } from './read-batch.ts';
import { Refusal } from './refusal.ts';

/** One element that is to be processed, with what is wrong with its parameters. */
export interface Element {
  readonly parameters: unknown;
  /** JSON Pointer to the parameters in the body. */
  readonly pointer: string;
  readonly violations: readonly Violation[];
}

/** Checks a call against the contract: the envelope, then the parameters of each element that no fault keeps from being processed. */
export function validate(exchange: Exchange, read: Batch | MalformedBody, { failures }: Injection): readonly Element[] | Refusal {
  const tooLarge = checkSize(exchange);
  if (tooLarge !== null) return tooLarge;
  if ('violations' in read) return refuseBody(exchange, read.kind, read.violations, read.untold);
  const wrongCount = checkCount(exchange, read.elements.length);
  if (wrongCount !== null) return wrongCount;

  const processed = batchProcessing(exchange, read.elements.length) === 'first-only' ? read.elements.slice(0, 1) : read.elements;
  const elements = processed.map((parameters, index) => {
    const pointer = `/data/${index}/data`;
    if (failures.get(index)?.phase === 'before') return { parameters, pointer, violations: [] };
    return check(exchange, parameters, pointer);
  });
  const violations = elements.flatMap((element) => element.violations);
  if (violations.length === 0) return elements;
  exchange.violations = violations.slice(0, mostKept);
  const answer = exchange.assume('invalidParameters');
  if (answer === 'element-error') return elements;
  return new Refusal('invalid-parameters', answer === 'http-400' ? 400 : 422, invalidParameters(violations), { violations });
}

/** What is said of parameters that do not fit the contract. */
export function invalidParameters(violations: readonly Violation[]): string {
  return `The parameters are invalid. ${paragraph(violations)}`;
}

const sizes = { '100kb': 102_400, '1mb': 1_048_576, '10mb': 10_485_760 } as const;

function checkSize({ call, assume }: Exchange): Refusal | null {
  // So much is allowed under every option.
  if (call.bodyBytes <= sizes['100kb']) return null;
  const most = sizes[assume('maxPayload')];
  if (call.bodyBytes <= most && !call.bodyCutOff) return null;
  const message = `The body is larger than ${most} bytes. Send fewer elements per call.`;
  return new Refusal('too-large', assume('malformedBody') === 'output-error' ? 'inside-body' : 413, message);
}

function checkCount(exchange: Exchange, count: number): Refusal | null {
  const { assume } = exchange;
  if (count === 0 && assume('emptyBatch') === 'refuse') {
    return refuseBody(exchange, 'malformed', [{ pointer: '/data', message: 'must have at least one element, but is empty.' }]);
  }
  // One element is allowed under every option.
  const most = count > 1 ? assume('maxBatchSize') : 'none';
  if (most === 'none' || count <= Number(most)) return null;
  return refuseBody(exchange, 'malformed', [{ pointer: '/data', message: `must have at most ${most} elements, but has ${count}.` }]);
}

/** What the journal keeps of what is wrong with one call; there is no end to what a hostile one can get wrong. */
const mostKept = 50;

const malformedStatuses = { 'http-400': 400, 'http-422': 422, 'output-error': 'inside-body' } as const;

function refuseBody(exchange: Exchange, kind: MalformedBody['kind'], violations: readonly Violation[], untold = 0): Refusal {
  exchange.violations = violations;
  const status = malformedStatuses[exchange.assume('malformedBody')];
  return new Refusal(kind, kind === 'not-json' && status !== 'inside-body' ? 415 : status, paragraph(violations, untold), { violations });
}

function check({ call, checks, assume }: Exchange, parameters: unknown, pointer: string): Element {
  const violations = checks[call.operation](parameters, pointer, call.bodyBytes > sizes['100kb'] ? 'first' : 'every');
  const use = fieldUse(call.operation, parameters);
  if (use.omits) assume('requiredFields');
  if (use.adds) assume('unknownFields');
  return { parameters, pointer, violations };
}
