import { isObject } from '../../base/is-object.ts';
import { otherLimitHeaders } from '../../contract/limit-headers.ts';
import { problemType } from '../../contract/checked-message.ts';
import { parseJson } from '../../contract/envelope.ts';
import { quotedForm } from './header-form.ts';
import type { Ask, Prediction } from './model/ask.ts';
import { notJson, unmatched } from './model/predict.ts';
import { bodyKind, outcomeOf, type Reply } from './reply.ts';
import { plain, theirs } from './shown-text.ts';
import type { Request, Sight } from './upstream.ts';

/** Which part of the sandbox responds to a request. */
type Responder = 'key' | 'router' | 'preflight' | 'operation';

function responderOf({ operation, path, method = 'POST', key = 'own', headers = {} }: Request): Responder {
  if (method === 'OPTIONS' && 'Access-Control-Request-Method' in headers) return 'preflight';
  if (method !== 'POST' || (path !== undefined && path !== `/public/${operation}`)) return 'router';
  return key === 'none' || key === 'wrong' ? 'key' : 'operation';
}

const mark: Sight = {
  what: 'the beginning of a body',
  seen: 'a byte order mark (BOM), which many JSON parsers refuse',
  expected: () => 'no byte order mark',
};

const absent: Prediction = () => 'absent';

/** Returns what the headers, and the members of the body, show. */
export function sightsIn(request: Request, reply: Reply): readonly Sight[] {
  const responder = responderOf(request);
  const { contentType = 'application/json' } = request;
  const body = parseJson(reply.text);
  const ofType: readonly Sight[] = contentType.includes('json')
    ? []
    : [{ what: `a body of the type ${contentType}`, seen: outcomeOf(reply), expected: notJson }];
  return [
    ...headerSights(responder, request, reply),
    ...typeSights(reply, body),
    ...(responder === 'preflight' ? preflightSights(reply) : []),
    ...ofType,
    ...statusSights(request, reply),
    ...memberSights(responder, reply, body),
    ...(reply.hasMark ? [mark] : []),
    ...(request.sightOf === undefined ? [] : [request.sightOf(reply)]),
  ];
}

function headerSights(responder: Responder, { operation }: Request, reply: Reply): readonly Sight[] {
  const { status } = reply;
  const about = (name: string, when: string, expected: Prediction): Sight => ({
    what: `the header ${name} ${when}`,
    seen: quotedForm(plain(name), reply),
    expected,
  });
  const withStatus = `with HTTP ${status}`;
  const isMp4 = responder === 'operation' && operation === 'get-live-event-session-processed-mp4';
  const hasLimit = (ask: Ask): boolean => !isMp4 || ask('processedMp4RateLimit') !== 'none';
  const where = wheres[responder];
  return [
    about('WWW-Authenticate', withStatus, status === 401 ? () => 'scheme ApiKey' : absent),
    about('Allow', withStatus, status === 405 ? () => 'POST' : absent),
    about('Location', withStatus, absent),
    about('Access-Control-Allow-Origin', where, (ask) => (isOpen(ask) ? '*' : 'absent')),
    ...(mayBeThrottled(reply) ? [] : [about('Retry-After', withStatus, absent)]),
    ...limitHeaders.map(([name, option]) =>
      about(
        name,
        isMp4 ? 'of the mp4' : where,
        responder === 'operation'
          ? (ask) => (hasLimit(ask) && ask('rateLimitHeaders') === option ? valueOf(name) : 'absent')
          : absent,
      ),
    ),
    ...otherLimitHeaders(reply.headerNames).map((name) =>
      about(theirs(name), isMp4 ? 'of the mp4' : where, absent),
    ),
  ];
}

/** Some services throttle with HTTP 403 or with an error in the output. */
function mayBeThrottled({ status, outputs }: Reply): boolean {
  return status === 403 || outputs?.some((output) => output.status === 'error') === true;
}

/** An envelope without a failure status belongs to a success, or to outputs that failed. */
function statusSights({ operation }: Request, { status, outputs }: Reply): readonly Sight[] {
  if (outputs === null || status >= 400) return [];
  return [{ what: `the status of outputs of ${operation}`, seen: `${status}`, expected: () => '200' }];
}

const wheres: Readonly<Record<Responder, string>> = {
  key: 'of a refused key',
  router: 'of a refused method or path',
  preflight: 'of a preflight request',
  operation: 'of an operation',
};

/** The headers of each option of `rateLimitHeaders`. */
const limitHeaders = [
  ['RateLimit', 'ietf'],
  ['RateLimit-Policy', 'ietf'],
  ['RateLimit-Limit', 'ratelimit'],
  ['RateLimit-Remaining', 'ratelimit'],
  ['RateLimit-Reset', 'ratelimit'],
  ['X-RateLimit-Limit', 'x-ratelimit'],
  ['X-RateLimit-Remaining', 'x-ratelimit'],
  ['X-RateLimit-Reset', 'x-ratelimit'],
] as const;

function valueOf(name: string): string {
  return ['RateLimit', 'RateLimit-Policy'].includes(name) ? 'present' : 'a number';
}

/** A body of another type than JSON, HTML and plain text matches no form of a refusal anyway. */
function typeSights(reply: Reply, body: unknown): readonly Sight[] {
  const type = quotedForm('Content-Type', reply);
  const about = (what: string, expected: string): readonly Sight[] => [
    { what: `the header Content-Type of ${what}`, seen: type, expected: () => expected },
  ];
  if (reply.text === '') return about('an empty body', 'absent');
  if (body === undefined) {
    const kind = bodyKind(reply);
    if (kind === 'html') return about('an HTML page', 'text/html');
    return kind === 'plain-text' ? about('plain text', 'text/plain') : [];
  }
  const what = reply.outputs === null ? 'another JSON body' : 'the response envelope';
  const isProblem = bodyKind(reply) === 'problem-json';
  const expected = isProblem ? problemType : 'application/json';
  return about(`${what}${isProblem ? ' of a problem' : ''}`, expected);
}

function isOpen(ask: Ask): boolean {
  return ask('cors') === 'any-origin';
}

function preflightSights(reply: Reply): readonly Sight[] {
  return [
    {
      what: 'the response to a preflight request',
      seen: outcomeOf(reply),
      expected: (ask) => (isOpen(ask) ? '204 !empty' : unmatched(ask, 'wrongMethod')),
    },
    ...['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers'].map((name) => ({
      what: `the header ${name} of a preflight request`,
      seen: quotedForm(name, reply),
      expected: (ask: Ask) => (isOpen(ask) ? 'present' : 'absent'),
    })),
  ];
}

/** The members of a problem document. One about parameters has violations, too. */
const problemMembers = 'detail, instance, status (number), title, type';

/** A template has the members that it was made from; other bodies are listed with it. */
function refusalSight(seen: string, usual: string): Sight {
  const expected = (ask: Ask): string =>
    ask('refusalBody') === 'template' || ask('gatewayRefusalBody') === 'template' ? seen : usual;
  return { what: 'members of a refusal', seen, expected };
}

function memberSights(responder: Responder, reply: Reply, body: unknown): readonly Sight[] {
  const { status, outputs } = reply;
  if (outputs !== null && Array.isArray(body)) return outputSights(body);
  if (!isObject(body) || status < 400) return [];
  const kind = bodyKind(reply);
  const seen = memberList(body);
  if (kind === 'message-json') return [refusalSight(seen, 'message')];
  if (kind === 'error-json')
    return [refusalSight(`${seen}: ${memberList(body['error'])}`, 'error (object): code, message')];
  if (kind !== 'problem-json') return [];
  const explains = responder === 'operation' && (status === 400 || status === 422);
  const members = explains ? `${problemMembers}, violations (list)` : problemMembers;
  const isRouter = responder === 'router' || responder === 'preflight';
  return [
    {
      what: `members of a problem document ${explains ? 'about parameters' : wheres[responder]}`,
      // Other failures of an operation may name the parameter, too.
      seen: explains || isRouter ? seen : seen.replace(', violations (list)', ''),
      expected: (ask) => (isRouter && ask('unmatchedBody') === 'problem-json' ? routerMembers : members),
    },
  ];
}

/** The members of a problem document of the router, which is the same for every path. */
const routerMembers = 'detail, status (number), title, type';

function outputSights(body: readonly unknown[]): readonly Sight[] {
  return body.flatMap((member): readonly Sight[] => {
    if (!isObject(member)) return [];
    const { output, ...beside } = member;
    if (!isObject(output)) return [];
    const isOk = output['status'] === 'ok';
    const { data: _data, ...rest } = output;
    const seen = memberList(isOk ? rest : output);
    return [
      {
        what: `members of the output of ${isOk ? 'a success, beside data' : 'a failure'}`,
        seen,
        expected: () => (isOk ? 'status' : 'errorMessage, status'),
      },
      { what: 'members beside output', seen: memberList(beside) || 'none', expected: () => 'none' },
    ];
  });
}

/** The maximum number of members in a description. */
const maxMembers = 20;

/** Lists the members of an object, with the type of those that are not text. It is marked as a text of the service. */
export function memberList(value: unknown): string {
  if (!isObject(value) || Object.keys(value).length === 0) return '';
  const names = Object.entries(value).map(([name, member]) => {
    const type = typeOf(member);
    return `${name}${type === 'text' ? '' : ` (${type})`}`;
  });
  return theirs(names.toSorted().slice(0, maxMembers).join(', '));
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}
