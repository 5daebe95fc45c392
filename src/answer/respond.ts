import { failureStatuses, ruleFailureStatuses } from './statuses.ts';
import type { Violation } from '../base/violation.ts';
import { escapedXml } from '../base/escape.ts';
import { problemBody, problemType } from '../base/problem.ts';
import { joined, toWire, type WireText } from '../base/wire-text.ts';
import type { Reply } from './call.ts';
import type { CallContext } from './call-context.ts';
import { Refusal } from './refusal.ts';
import type { RefusalKind } from '../sandbox/outcomes.ts';
import type { Outcome } from './run.ts';
import { OperationFailed } from '../operations/shared/operation.ts';
import type { InjectedFailure } from '../faults/fault.ts';
import type { FailureKind } from '../base/failure-kind.ts';

/** Creates the reply to a call (specification, Common conventions 4, and Errors). */
export function respond(
  context: CallContext,
  answer: Refusal | readonly Outcome[],
  limits: readonly string[],
  elements: number,
): Reply {
  const { status, type, body, more } =
    answer instanceof Refusal ? refusalReply(context, answer, elements) : outcomesReply(context, answer);
  const headers = ['Sandbox-Request-Id', context.requestId, ...limits, ...more];
  if (type !== null) headers.push('Content-Type', type);
  // Last, because creating the body may read assumptions too.
  if (context.assumed.length > 0) headers.push('Sandbox-Assumed', assumedHeader(context));
  return { status, headers, body, at: context.now };
}

/** The reply to a client that disconnected. */
export function noReply({ now }: CallContext): Reply {
  return { status: 0, headers: [], body: joined(''), at: now };
}

interface Content {
  readonly status: number;
  readonly type: string | null;
  readonly body: WireText;
  readonly more: readonly string[];
}

const json = 'application/json; charset=utf-8';
const nothing: readonly string[] = [];

function outcomesReply(context: CallContext, outcomes: readonly Outcome[]): Content {
  const [first] = outcomes;
  if (outcomes.length === 1 && first?.ok === false) return failureReply(context, first);
  let body = '';
  for (const outcome of outcomes) {
    const output = outputText(context, outcome);
    body = body === '' ? output : `${body},${output}`;
  }
  return { status: 200, type: json, body: joined(`[${body}]`), more: nothing };
}

/** Returns the reply to a call whose only element failed. */
function failureReply(context: CallContext, outcome: Outcome & { ok: false }): Content {
  const status = failureStatus(context, outcome.failure);
  const { kind } = outcome.failure;
  // Faults that change outputs need the envelope.
  const isOwn = kind !== 'injected' && kind !== 'missing-output';
  if (status === 200 || !isOwn || context.assume('operationFailureBody') === 'envelope')
    return { status, type: json, body: joined(`[${outputText(context, outcome)}]`), more: nothing };
  const message = failureMessage(context, outcome.failure);
  const { violations } = context;
  return { status, ...refusalBody(context, { kind, violations }, status, message), more: nothing };
}

/** Returns the output of one element as JSON. */
export function outputText(context: CallContext, outcome: Outcome): WireText {
  return outcome.ok
    ? joined(`{"output":{"status":"ok","data":${outcome.text}}}`)
    : errorOutput(failureMessage(context, outcome.failure));
}

function failureStatus({ assume }: CallContext, failure: InjectedFailure): number {
  if (assume('operationFailureStatus') === 'always-200') return 200;
  return isRuleFailure(failure) ? ruleStatus(failure.kind, assume) : failureStatuses[failure.kind];
}

/** Whether an operation refused values that match its schema. */
function isRuleFailure(failure: InjectedFailure): failure is OperationFailed {
  return failure instanceof OperationFailed && failure.kind !== 'not-found';
}

function ruleStatus(kind: FailureKind, assume: CallContext['assume']): number {
  const option = assume('ruleFailureStatus');
  return option === 'by-kind' ? failureStatuses[kind] : ruleFailureStatuses[option];
}

/**
 * Terse messages for the option `generic`. Messages of faults are never replaced: the user may have set them.
 */
const genericMessages: { readonly [K in Exclude<RefusalKind | FailureKind, 'fault'>]: string } = {
  'missing-key': 'Unauthorized',
  'invalid-key': 'Unauthorized',
  'too-many-sandboxes': 'Too many sandboxes',
  throttled: 'Rate limit exceeded',
  malformed: 'Bad request',
  'too-large': 'Payload too large',
  'not-json': 'Unsupported media type',
  'invalid-parameters': 'Invalid input',
  'unknown-id': 'Not found',
  'bad-fault': 'Bad fault',
  'server-limit': 'Limit of this server',
  'server-busy': 'Server busy',
  'not-stored': 'Not stored',
  'internal-error': 'Internal error',
  'not-found': 'Not found',
  conflict: 'Conflict',
  invalid: 'Invalid input',
};

function failureMessage(
  { assume }: CallContext,
  { kind, message }: { readonly kind: RefusalKind | InjectedFailure['kind']; readonly message: string },
): string {
  if (kind === 'fault' || kind === 'injected' || kind === 'missing-output') return message;
  return assume('failureMessages') === 'generic' ? genericMessages[kind] : message;
}

/** Refusals by the sandbox itself, which no assumption changes. */
const ownRefusals: ReadonlySet<RefusalKind> = new Set([
  'bad-fault',
  'server-limit',
  'server-busy',
  'not-stored',
  'internal-error',
] as const);

function isOwnRefusal(refusal: Refusal): refusal is Refusal & { readonly status: number } {
  return ownRefusals.has(refusal.kind) && refusal.status !== 'inside-body';
}

const unreadable: ReadonlySet<RefusalKind> = new Set(['malformed', 'not-json', 'too-large'] as const);

function refusalReply(context: CallContext, refusal: Refusal, elements: number): Content {
  if (isOwnRefusal(refusal))
    return {
      status: refusal.status,
      ...problemOf(context, refusal, refusal.status, refusal.message),
      more: refusal.headers,
    };
  const message = failureMessage(context, refusal);
  if (refusal.status === 'inside-body') {
    // Outputs cannot be aligned with a body that is not a batch.
    const count = unreadable.has(refusal.kind) ? 1 : Math.max(1, elements);
    const outputs = Array.from({ length: count }, () => errorOutput(message));
    return { status: 200, type: json, body: joined(`[${outputs.join(',')}]`), more: refusal.headers };
  }
  return {
    status: refusal.status,
    ...refusalBody(context, refusal, refusal.status, message),
    more: refusal.headers,
  };
}

type Body = Pick<Content, 'type' | 'body'>;

/** Why a call was refused, or its only element failed. */
interface Reason {
  readonly kind: RefusalKind | FailureKind;
  readonly violations: readonly Violation[];
}

function refusalBody(context: CallContext, refusal: Reason, status: number, message: string): Body {
  switch (context.assume('refusalBody')) {
    case 'envelope':
      return { type: json, body: joined(`[${errorOutput(message)}]`) };
    case 'problem-json':
      return problemOf(context, refusal, status, message);
    case 'message-json':
      return { type: json, body: toWire(JSON.stringify({ message })) };
    case 'error-json':
      return { type: json, body: toWire(JSON.stringify({ error: { code: refusal.kind, message } })) };
    case 'plain-text':
      return { type: 'text/plain; charset=utf-8', body: toWire(`${message}\n`) };
    case 'html':
      return {
        type: 'text/html; charset=utf-8',
        body: toWire(htmlPage(`${status} ${title(refusal.kind)}`, message)),
      };
    case 'empty':
      return { type: null, body: joined('') };
  }
}

function problemOf(
  { call, requestId }: CallContext,
  { kind, violations }: Reason,
  status: number,
  detail: string,
): Body {
  const body = problemBody({
    ...(kind === 'fault' ? {} : { type: `urn:learning-platform-sandbox:${kind}` }),
    title: title(kind),
    status,
    detail,
    instance: `/public/${call.operation}#${requestId}`,
    ...(violations.length === 0 ? {} : { violations }),
  });
  return { type: problemType, body: toWire(body) };
}

function title(kind: Reason['kind']): string {
  return kind === 'fault' ? 'Request failed' : genericMessages[kind];
}

function htmlPage(title: string, message: string): string {
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${escapedXml(message)}</p></body></html>\n`;
}

function errorOutput(message: string): WireText {
  return joined(`{"output":{"status":"error","errorMessage":${toWire(JSON.stringify(message))}}}`);
}

function assumedHeader({ assumed, options }: CallContext): string {
  let text = '';
  for (const name of assumed) text += `${text === '' ? '' : ', '}${name}=${options[name]}`;
  return text;
}
