import { parseJson } from '../../contract/envelope.ts';
import { isObject } from '../../base/is-object.ts';
import { hasOwnMembers, refusalFormOf, type RefusalForm } from '../refusal-form.ts';
import { outputWords } from './model/predict.ts';
import { theirs } from './shown-text.ts';
import { messageIn, type OwnForm } from './template.ts';

/** One member of a response's array. */
export interface Output {
  readonly status: 'ok' | 'error';
  readonly data: unknown;
  readonly errorMessage: string | null;
}

/** The response to a call. */
export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** The names of all headers, in lower case. */
  readonly headerNames: readonly string[];
  /** The body as received. Mask it before you show it. */
  readonly text: string;
  /** Whether a byte order mark preceded the text. Many parsers of JSON refuse it. */
  readonly hasMark: boolean;
  /** Null if the body is not the response envelope. */
  readonly outputs: readonly Output[] | null;
}

/** Returns the outputs in a body; null if it is not the response envelope. */
export function outputsOf(text: string): readonly Output[] | null {
  const body = parseJson(text);
  if (!Array.isArray(body)) return null;
  const outputs = body.map((member): Output | null => {
    const output = member === null ? undefined : at(member, 'output');
    if (!isObject(output)) return null;
    const { status, data, errorMessage } = output;
    if (status !== 'ok' && status !== 'error') return null;
    return { status, data, errorMessage: typeof errorMessage === 'string' ? errorMessage : null };
  });
  return outputs.every((output) => output !== null) ? outputs : null;
}

/** Returns a member deep inside a JSON value, or undefined. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : null;
}

/** Says why a response lacks numbers: one is of another type, or the response is not a success. */
export function whyNoNumber(operation: string, reply: Reply, names: readonly string[]): string {
  const result = resultOf(reply);
  for (const name of names) {
    const value = at(result, name);
    if (value === undefined || typeof value === 'number') continue;
    const kind = typeof value === 'string' ? 'the text ' : '';
    return `${name} of ${operation} is ${kind}${theirs(JSON.stringify(value).slice(0, 40))}, not a number`;
  }
  return `${operation} returned ${describeReply(reply)}`;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  return list;
}

/** Returns the result of the only element if it succeeded. */
export function resultOf({ outputs }: Reply): unknown {
  const [only, ...more] = outputs ?? [];
  return only?.status === 'ok' && more.length === 0 ? only.data : null;
}

/**
 * Returns a response in the terms of predictions: its status, then its outputs (`ok,error`) or the kind of
 * its body (`!html`).
 */
export function outcomeOf(reply: Reply, show?: (result: unknown) => string | number): string {
  const { status, outputs } = reply;
  if (outputs === null) return `${status} !${bodyKind(reply)}`;
  const result = resultOf(reply);
  const words = outputWords(outputs.map((output) => output.status));
  return `${status} ${words}${show === undefined || result === null ? '' : `:${show(result)}`}`;
}

/** Returns the form of the body of a refusal. JSON of any form with a status below 400 may be something else. */
export function bodyKind({ status, text, header }: Reply): RefusalForm {
  const [type = ''] = (header('content-type') ?? '').split(';');
  const body = parseJson(text);
  const form = refusalFormOf(text, body, type.trim().toLowerCase());
  return status < 400 && isJsonForm(form) ? 'other' : form;
}

function isJsonForm(form: RefusalForm): boolean {
  return form === 'message-json' || form === 'error-json' || form === 'template';
}

/** Whether the body is HTML or plain text, as from a gateway. */
export function isPage(reply: Reply): boolean {
  return reply.outputs === null && ['html', 'plain-text'].includes(bodyKind(reply));
}

/** Returns the body if it is a JSON object that matches no form of a refusal, or that has more members; otherwise null. */
export function ownFormOf(reply: Reply): OwnForm | null {
  if (reply.outputs !== null) return null;
  const { status, text } = reply;
  const form = bodyKind(reply);
  return form === 'template' || hasOwnMembers(form, parseJson(text)) ? { status, text } : null;
}

/** A page is searched for its message up to this length, because the search takes quadratic time. */
const maxMessageChars = 8192;

/** Returns the failure message of a response, or null. */
function messageOf(reply: Reply): string | null {
  const failed = reply.outputs?.find(({ status }) => status === 'error');
  if (failed !== undefined) return failed.errorMessage;
  if (reply.outputs !== null) return null;
  const text = reply.text.slice(0, maxMessageChars);
  const kind = bodyKind(reply);
  if (kind === 'html') return text.replaceAll(/<head>.*?<\/head>|<[^>]*>/gs, ' ').trim();
  if (kind === 'plain-text') return text.trim();
  const body = parseJson(reply.text);
  const message = textAt(body, 'message') ?? textAt(body, 'error', 'message');
  return textAt(body, 'detail') ?? message ?? textAt(body, 'title');
}

/** Returns the failure message of a response, also of one whose body is JSON of another form; otherwise null. */
export function failureMessageOf(reply: Reply): string | null {
  const ownForm = ownFormOf(reply);
  return messageOf(reply) ?? (ownForm === null ? null : messageIn(ownForm));
}

function describeBody({ outputs, header, text }: Reply): string {
  if (outputs === null)
    return text === '' ? 'no body' : theirs(header('content-type') ?? 'a body of no type');
  return outputs.length === 0
    ? 'no outputs'
    : `output ${outputWords(outputs.map((output) => output.status))}`;
}

/** Describes a response: `HTTP 401, text/html: "Unauthorized"`. The texts of the service are marked. */
export function describeReply(reply: Reply): string {
  const { status, text } = reply;
  const body = describeBody(reply);
  // Nobody knows where the message is in a JSON object of another form.
  const shown = messageOf(reply) ?? (bodyKind(reply) === 'template' ? text.slice(0, maxMessageChars) : '');
  const message = shown.replaceAll(/\s+/g, ' ');
  const excerpt = message.length > 60 ? `${message.slice(0, 59)}…` : message;
  return `HTTP ${status}, ${body}${excerpt === '' ? '' : `: "${theirs(excerpt)}"`}`;
}
