import {
  bodyStatuses,
  failureStatuses,
  invalidParameterStatuses,
  keyStatuses,
  malformedStatuses,
  ruleFailureStatuses,
  throttleStatuses,
  unknownIdStatuses,
  unknownPathStatuses,
  wrongMethodStatuses,
} from '../../../answer/statuses.ts';
import type { Ask } from './ask.ts';

/**
 * The result of an element: `ok`, or `ok:` with what its result shows; otherwise its failure. `unknown-id`
 * names no record, `not-found` is anything else that is missing, `violation` does not match the contract.
 */
type Fare = 'ok' | `ok:${string}` | 'unknown-id' | 'not-found' | 'conflict' | 'invalid' | 'violation';

/** An element of a batch, whose result depends on the options. */
export type Element = (ask: Ask) => Fare;

export const good: Element = () => 'ok';
export const unknown: Element = () => 'unknown-id';
export const violating: Element = () => 'violation';

/** The limit of most operations: a larger batch never fits if elements are counted. */
export const maxPerWindow = 60;

/**
 * Predicts the response to a batch, in the terms of `outcomeOf`. `limit` says whether the operation has a
 * limit.
 */
export function predictBatch(
  ask: Ask,
  elements: readonly Element[],
  limit: 'limited' | 'without limit' = 'limited',
): string {
  const count = elements.length;
  if (limit === 'limited' && count > maxPerWindow && ask('rateLimitUnit') === 'element')
    return throttled(ask, count);
  if (count === 0) return ask('emptyBatch') === 'refuse' ? malformed(ask) : '200 none';
  if (count > 1) {
    const most = ask('maxBatchSize');
    if (most !== 'none' && count > Number(most)) return malformed(ask);
  }
  const processing = count > 1 ? ask('batchProcessing') : 'each-in-order';
  const fares = (processing === 'first-only' ? elements.slice(0, 1) : elements).map((element) =>
    element(ask),
  );
  if (fares.includes('violation')) {
    const answer = ask('invalidParameters');
    if (answer !== 'element-error') return refused(ask, invalidParameterStatuses[answer]);
  }
  return run(ask, fares, processing);
}

function run(ask: Ask, fares: readonly Fare[], processing: string): string {
  const done: Fare[] = [];
  for (const fare of fares) {
    const answered = answerOf(ask, fare);
    if (answered === 'refused') return refused(ask, unknownIdStatuses['http-404']);
    done.push(answered);
    if (!isOk(answered) && processing === 'stop-at-first-error') break;
  }
  if (processing === 'all-or-nothing' && !done.every(isOk))
    return `200 ${outputWords(done.map(() => 'error'))}`;
  const [only, ...more] = done;
  if (only !== undefined && more.length === 0) return single(ask, only);
  return `200 ${outputWords(done.map((fare) => (isOk(fare) ? 'ok' : 'error')))}`;
}

function isOk(fare: Fare): boolean {
  return fare === 'ok' || fare.startsWith('ok:');
}

/** Returns the result for a missing identifier. */
function answerOf(ask: Ask, fare: Fare): Fare | 'refused' {
  if (fare !== 'unknown-id' && fare !== 'not-found') return fare;
  const reading: string = ask('unknownId');
  if (reading === 'http-404') return 'refused';
  return fare === 'unknown-id' && reading === 'synthesise' ? 'ok' : fare;
}

const failureKinds: Readonly<Record<string, keyof typeof failureStatuses>> = {
  'unknown-id': 'not-found',
  'not-found': 'not-found',
  conflict: 'conflict',
};

function single(ask: Ask, fare: Fare): string {
  if (isOk(fare)) return `200 ${fare}`;
  if (ask('operationFailureStatus') === 'always-200') return '200 error';
  const status = statusByKind(ask, fare);
  return ask('operationFailureBody') === 'envelope' ? `${status} error` : refused(ask, status);
}

function statusByKind(ask: Ask, fare: Fare): number {
  const isRule = fare === 'conflict' || fare === 'invalid';
  const option = isRule ? ask('ruleFailureStatus') : 'by-kind';
  return option === 'by-kind'
    ? failureStatuses[failureKinds[fare] ?? 'invalid']
    : ruleFailureStatuses[option];
}

/** Predicts a refusal with a status, or with the error in the outputs. */
function refused(
  ask: Ask,
  status: number | 'inside-body',
  { elements = 1, by = 'service' }: { readonly elements?: number; readonly by?: 'service' | 'gateway' } = {},
): string {
  if (status === 'inside-body') return `200 ${outputWords(Array.from({ length: elements }, () => 'error'))}`;
  const body = by === 'gateway' ? gatewayBody(ask) : ask('refusalBody');
  return body === 'envelope' ? `${status} error` : `${status} !${body}`;
}

/**
 * The form of a refusal by a gateway. If it equals the form of the service, the option is `as-refusals`, except that
 * two templates can differ.
 */
function gatewayBody(ask: Ask): string {
  const form = ask('gatewayRefusalBody');
  const others = ask('refusalBody');
  if (form === 'as-refusals') return others;
  return form === others && form !== 'template' ? 'nothing: it is as-refusals' : form;
}

/** Predicts the response to a wrong method or path. */
export function unmatched(ask: Ask, name: 'wrongMethod' | 'unknownPath'): string {
  const status = name === 'wrongMethod' ? wrongMethodStatuses[ask(name)] : unknownPathStatuses[ask(name)];
  const body = ask('unmatchedBody');
  return body === 'as-refusals' ? refused(ask, status) : `${status} !${body}`;
}

/** Predicts the response to a body that is not the envelope. */
export function malformed(ask: Ask): string {
  return refused(ask, malformedStatuses[ask('malformedBody')]);
}

/** Predicts the response to a body of a type other than JSON. */
export function notJson(ask: Ask): string {
  const status = malformedStatuses[ask('malformedBody')];
  return refused(ask, status === 'inside-body' ? status : bodyStatuses['not-json']);
}

/** Predicts the response to a call over the limit. */
export function throttled(ask: Ask, elements = 1): string {
  return refused(ask, throttleStatuses[ask('throttleReply')], { elements, by: 'gateway' });
}

/** Predicts the response to a refused key. */
export function keyRefused(ask: Ask, name: 'missingKey' | 'invalidKey'): string {
  return refused(ask, keyStatuses[ask(name)], { by: 'gateway' });
}

/** Returns the statuses of outputs: each one, or their number if many are equal. */
export function outputWords(statuses: readonly string[]): string {
  const [first] = statuses;
  if (first === undefined) return 'none';
  return statuses.length > 3 && statuses.every((status) => status === first)
    ? `${first}*${statuses.length}`
    : statuses.join(',');
}

/** Predicts whether a page has any of `total` members: `ok:some` or `ok:none`. */
export function shownFare(ask: Ask, number: number, total: number, size: number): Fare {
  const fare = pageFare(ask, number, total, size);
  if (fare === 'invalid') return fare;
  return fare === 'ok:0' ? 'ok:none' : 'ok:some';
}

/** Predicts how many of `total` members a page of `size` has, as `ok:20`. */
export function pageFare(ask: Ask, number: number, total: number, size: number): Fare {
  const index = number - Number(ask('firstPageNumber'));
  const pages = Math.max(1, Math.ceil(total / size));
  if (index >= 0 && index < pages) return `ok:${Math.min(size, total - index * size)}`;
  return ask('pageOutOfRange') === 'empty-list' ? 'ok:0' : 'invalid';
}
