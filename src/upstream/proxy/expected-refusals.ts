import {
  bodyStatuses,
  failureStatuses,
  invalidParameterStatuses,
  keyStatuses,
  malformedStatuses,
  ruleFailureStatuses,
  throttleStatuses,
  unknownIdStatuses,
} from '../../answer/statuses.ts';
import { assumptions, optionsFrom, type AssumptionName, type Options } from '../../assumptions.ts';
import type { CheckedRequest } from './request-check.ts';

/** What of a request decides on its refusal. */
export interface Sent extends CheckedRequest {
  readonly hasKey: boolean;
}

/** A refusal that the sandbox would send, and the assumption that decides on its status. */
export interface Expected {
  readonly name: AssumptionName;
  readonly status: number | 'inside-body';
  /** The assumption that decides on its body. */
  readonly body: 'refusalBody' | 'gatewayRefusalBody' | 'operationFailureBody';
}

/**
 * Returns the refusal that the sandbox would send for the same cause, as far as the request and the status of the
 * reply show the cause. Null if the sandbox would send none with this status.
 */
export function expectedRefusal(options: Options, sent: Sent, status: number): Expected | null {
  return ofCause(options, sent, status) ?? others(options).find((one) => one.status === status) ?? null;
}

/** The assumptions that decide on the status of refusals and failures. */
const ofStatus: readonly AssumptionName[] = [
  'unknownId',
  'invalidParameters',
  'operationFailureStatus',
  'ruleFailureStatus',
  'malformedBody',
  'missingKey',
  'invalidKey',
  'throttleReply',
];

/** Returns the options, each as `name=option`, with which the sandbox would send a refusal with this status. */
export function optionsFor(options: Options, sent: Sent, status: number): readonly string[] {
  return ofStatus.flatMap((name) =>
    Object.keys(assumptions[name].options).flatMap((option) => {
      const expected = expectedRefusal({ ...options, ...optionsFrom([[name, option]]) }, sent, status);
      return expected?.status === status ? [`${name}=${option}`] : [];
    }),
  );
}

function ofCause(options: Options, { hasKey, elements, violations }: Sent, status: number): Expected | null {
  const isOfKey = status === 401 || status === 403;
  if (isOfKey && !hasKey) return byGateway('missingKey', keyStatuses[options.missingKey]);
  const throttled = throttleStatuses[options.throttleReply];
  if (status === 429 || status === throttled) return byGateway('throttleReply', throttled);
  if (isOfKey) return byGateway('invalidKey', keyStatuses[options.invalidKey]);
  const isMalformed = elements === null && violations.length > 0;
  const isOfSize = status === bodyStatuses['too-large'] || status === bodyStatuses['not-json'];
  if (!isMalformed || isOfSize || status < 400 || status >= 500) return null;
  return byService('malformedBody', malformedStatuses[options.malformedBody]);
}

function byGateway(name: AssumptionName, status: Expected['status']): Expected {
  return { name, status, body: 'gatewayRefusalBody' };
}

function byService(name: AssumptionName, status: Expected['status']): Expected {
  return { name, status, body: 'refusalBody' };
}

/** Returns the refusals and failures that the sandbox can send for other causes. */
function others(options: Options): readonly Expected[] {
  const { malformedBody, emptyBatch, maxBatchSize, invalidParameters, unknownId } = options;
  const body = malformedStatuses[malformedBody];
  const isRefusing = emptyBatch === 'refuse' || maxBatchSize !== 'none';
  return [
    ...(isRefusing ? [byService('malformedBody', body)] : []),
    ...(body === 'inside-body'
      ? []
      : [
          byService('malformedBody', bodyStatuses['not-json']),
          byGateway('malformedBody', bodyStatuses['too-large']),
        ]),
    ...(invalidParameters === 'element-error'
      ? []
      : [byService('invalidParameters', invalidParameterStatuses[invalidParameters])]),
    ...(unknownId === 'http-404' ? [byService('unknownId', unknownIdStatuses[unknownId])] : []),
    ...failures(options),
  ];
}

function failures({ operationFailureStatus, ruleFailureStatus }: Options): readonly Expected[] {
  if (operationFailureStatus === 'always-200') return [];
  const body = 'operationFailureBody';
  const { 'not-found': notFound, conflict, invalid } = failureStatuses;
  const ofRules =
    ruleFailureStatus === 'by-kind' ? [conflict, invalid] : [ruleFailureStatuses[ruleFailureStatus], invalid];
  return [
    { name: 'operationFailureStatus', status: notFound, body },
    ...ofRules.map((status) => ({ name: 'ruleFailureStatus', status, body }) as const),
  ];
}
