import { failureStatuses, ruleFailureStatuses } from './statuses.ts';
import { joined, type WireText } from '../base/wire-text.ts';
import { assumedHeader } from './assumed.ts';
import type { Reply } from './call.ts';
import { allowsOtherOrigins, corsHeaders } from './cors.ts';
import type { CallContext } from './call-context.ts';
import { hintHeader } from './hints.ts';
import { failureMessage } from './messages.ts';
import { Refusal } from './refusal.ts';
import {
  errorOutput,
  jsonType,
  problemOf,
  refusalBody,
  type Body,
  type RefusalText,
} from './refusal-body.ts';
import type { RefusalKind } from '../sandbox/outcomes.ts';
import type { ElementError, Outcome } from './run.ts';
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
  if (allowsOtherOrigins(context)) headers.push(...corsHeaders);
  if (context.hints.length > 0) headers.push('Sandbox-Hint', hintHeader(context));
  // Last, because creating the body may read assumptions too.
  if (context.assumed.length > 0) headers.push('Sandbox-Assumed', assumedHeader(context));
  return { status, headers, body, at: context.now };
}

/** The reply to a client that disconnected. */
export function noReply({ now }: CallContext): Reply {
  return { status: 0, headers: [], body: joined(''), at: now };
}

interface Content extends Body {
  readonly status: number;
  readonly more: readonly string[];
}

const nothing: readonly string[] = [];

function outcomesReply(context: CallContext, outcomes: readonly Outcome[]): Content {
  const [first] = outcomes;
  if (outcomes.length === 1 && first?.ok === false) return failureReply(context, first);
  let body = '';
  for (const outcome of outcomes) {
    const output = outputText(context, outcome);
    body = body === '' ? output : `${body},${output}`;
  }
  return { status: 200, type: jsonType, body: joined(`[${body}]`), more: nothing };
}

/** Returns the reply to a call whose only element failed. */
function failureReply(context: CallContext, outcome: Outcome & { ok: false }): Content {
  const status = failureStatus(context, outcome.failure);
  const { kind } = outcome.failure;
  // Faults that change outputs need the envelope.
  const isOwn = kind !== 'injected' && kind !== 'missing-output';
  if (status === 200 || !isOwn || context.assume('operationFailureBody') === 'envelope')
    return { status, type: jsonType, body: joined(`[${outputText(context, outcome)}]`), more: nothing };
  const message = failureMessage(context, outcome.failure);
  const { violation } = outcome.failure;
  const violations = violation === undefined ? context.violations : [violation];
  const body = refusalBody(context, refusalText(context, { kind, violations }, status, message));
  return { status, ...body, more: nothing };
}

/** Returns the output of one element as JSON. */
export function outputText(context: CallContext, outcome: Outcome): WireText {
  return outcome.ok
    ? joined(`{"output":{"status":"ok","data":${outcome.text}}}`)
    : errorOutput(failureMessage(context, outcome.failure));
}

function failureStatus({ assume }: CallContext, failure: ElementError): number {
  if (assume('operationFailureStatus') === 'always-200') return 200;
  const { kind, violation } = failure;
  // An operation refused values that match its schema.
  const isRule = violation !== undefined && (kind === 'invalid' || kind === 'conflict');
  return isRule ? ruleStatus(kind, assume) : failureStatuses[kind];
}

function ruleStatus(kind: FailureKind, assume: CallContext['assume']): number {
  const option = assume('ruleFailureStatus');
  return option === 'by-kind' ? failureStatuses[kind] : ruleFailureStatuses[option];
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
  if (isOwnRefusal(refusal)) {
    const body = problemOf(refusalText(context, refusal, refusal.status, refusal.message));
    return { status: refusal.status, ...body, more: refusal.headers };
  }
  const message = failureMessage(context, refusal);
  if (refusal.status === 'inside-body') {
    // Outputs cannot be aligned with a body that is not a batch.
    const count = unreadable.has(refusal.kind) ? 1 : Math.max(1, elements);
    const outputs = Array.from({ length: count }, () => errorOutput(message));
    return { status: 200, type: jsonType, body: joined(`[${outputs.join(',')}]`), more: refusal.headers };
  }
  const body = refusalBody(context, refusalText(context, refusal, refusal.status, message));
  return { status: refusal.status, ...body, more: refusal.headers };
}

function refusalText(
  { call, requestId }: CallContext,
  { kind, violations }: Pick<RefusalText, 'kind' | 'violations'>,
  status: number,
  message: string,
): RefusalText {
  return { kind, status, message, path: `/public/${call.operation}`, requestId, violations };
}
