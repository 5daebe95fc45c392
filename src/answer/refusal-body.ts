import type { OptionOf } from '../assumptions.ts';
import { escapedXml } from '../base/escape.ts';
import type { FailureKind } from '../base/failure-kind.ts';
import { fillTemplate } from '../base/json-template.ts';
import { ownType, phraseOf, problemBody, problemType } from '../base/problem.ts';
import type { Violation } from '../base/violation.ts';
import { joined, toWire, type WireText } from '../base/wire-text.ts';
import type { RefusalKind } from '../sandbox/outcomes.ts';
import type { CallContext } from './call-context.ts';
import { titleOf, type UnmatchedKind } from './messages.ts';

/** The body of a reply. */
export interface Body {
  /** Null for no Content-Type. */
  readonly type: string | null;
  readonly body: WireText;
}

/** The content of a refusal, or of the failure of a call's only element, in any form of the body. */
export interface RefusalText {
  readonly kind: RefusalKind | FailureKind | UnmatchedKind;
  readonly status: number;
  readonly message: string;
  readonly path: string;
  readonly requestId: string;
  readonly violations: readonly Violation[];
}

/** What determines the body of a refusal. */
type RefusalContext = Pick<CallContext, 'assume' | 'sandbox'>;

export const jsonType = 'application/json; charset=utf-8';

/** Refusals that a gateway in front of the service typically sends. */
const byGateway: ReadonlySet<RefusalText['kind']> = new Set([
  'missing-key',
  'invalid-key',
  'throttled',
  'too-large',
] as const);

/** A form, and the text of the option `template`. */
interface Form {
  readonly form: OptionOf<'refusalBody'>;
  readonly template: string | null;
}

function formOf({ assume, sandbox: { templates } }: RefusalContext, kind: RefusalText['kind']): Form {
  const form = byGateway.has(kind) ? assume('gatewayRefusalBody') : 'as-refusals';
  return form === 'as-refusals'
    ? { form: assume('refusalBody'), template: templates.refusalTemplate }
    : { form, template: templates.gatewayTemplate };
}

/** Stands in for a text that was removed while the call was in progress. */
const plainTemplate = '{"message":"{{message}}"}';

/** Returns the body of a refusal, in the form that the assumptions choose. */
export function refusalBody(context: RefusalContext, refusal: RefusalText): Body {
  const { kind, status, message } = refusal;
  const { form, template } = formOf(context, kind);
  switch (form) {
    case 'envelope':
      return { type: jsonType, body: joined(`[${errorOutput(message)}]`) };
    case 'problem-json':
      return problemOf(refusal);
    case 'message-json':
      return { type: jsonType, body: toWire(JSON.stringify({ message })) };
    case 'error-json':
      return { type: jsonType, body: toWire(JSON.stringify({ error: { code: kind, message } })) };
    case 'template': {
      const text = fillTemplate(template ?? plainTemplate, { ...refusal, code: kind });
      return { type: jsonType, body: toWire(text) };
    }
    case 'plain-text':
      return { type: 'text/plain; charset=utf-8', body: toWire(`${message}\n`) };
    case 'html':
      return {
        type: 'text/html; charset=utf-8',
        body: toWire(htmlPage(`${status} ${titleOf(kind)}`, message)),
      };
    case 'empty':
      return { type: null, body: joined('') };
  }
}

/** Returns a refusal as a problem document. */
export function problemOf({ kind, status, message, path, requestId, violations }: RefusalText): Body {
  const body = problemBody({
    // A fault plays the platform, which has no kinds of this server.
    ...(kind === 'fault' ? { title: phraseOf(status) } : { type: ownType(kind), title: titleOf(kind) }),
    status,
    detail: message,
    instance: `${path}#${requestId}`,
    ...(violations.length === 0 ? {} : { violations }),
  });
  return { type: problemType, body: toWire(body) };
}

/** Returns a failed output as JSON. */
export function errorOutput(message: string): WireText {
  return joined(`{"output":{"status":"error","errorMessage":${toWire(JSON.stringify(message))}}}`);
}

function htmlPage(title: string, message: string): string {
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${escapedXml(message)}</p></body></html>\n`;
}
