import type { OptionOf, Options } from '../../assumptions.ts';
import { isObject } from '../../base/is-object.ts';
import { firstNames } from '../../base/lists.ts';
import { mediaTypeOf, type CheckedReply } from '../../contract/checked-message.ts';
import { outputsIn, type SeenOutput } from '../../contract/envelope.ts';
import { resultSchemas } from '../../contract/generated/result-schemas.js';
import { limitHeadersForm, otherLimitHeaders } from '../../contract/limit-headers.ts';
import { missingFields } from '../../contract/missing-fields.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import { bothFindings, noFindings, type ReplyFindings } from '../../contract/reply-check.ts';
import { refusalFormOf, type RefusalForm } from '../refusal-form.ts';
import { envelopeDifferences } from './envelope-differences.ts';
import { expectedRefusal, optionsFor, type Expected, type Sent } from './expected-refusals.ts';

interface Answered extends CheckedReply {
  /** The body. Undefined if it is not JSON. */
  readonly json: unknown;
}

/** Compares a reply with the sandbox's assumptions, and the number of its outputs with the batch. */
export function replyDifferences(
  options: Options,
  operation: OperationName,
  sent: Sent,
  reply: Answered,
): ReplyFindings {
  const beside = reply.scale === 'large' ? [] : envelopeDifferences(reply.json);
  const headers = bothFindings(
    { violations: [], differences: beside },
    differing(...headerDifferences(options, reply)),
  );
  const outputs = outputsIn(reply.json);
  if (reply.status === 200) {
    const fields = reply.scale === 'large' ? noFindings : fieldFindings(options, operation, outputs ?? []);
    return bothFindings(bothFindings(countFindings(options, sent, outputs), fields), headers);
  }
  const expected = expectedRefusal(options, sent, reply.status);
  const message =
    expected === null
      ? unexpected(reply, optionsFor(options, sent, reply.status))
      : refusalDifference(options, reply, expected);
  // A list of another form is no batch of outputs, and a difference already.
  const { violations } = isEnvelope(outputs) ? countFindings(options, sent, outputs) : noFindings;
  return bothFindings(
    { violations, differences: message === null ? [] : [{ pointer: '', message }] },
    headers,
  );
}

/** Whether a body is a list of outputs, which has a number of them under any status. */
function isEnvelope(outputs: readonly SeenOutput[] | null): boolean {
  return outputs !== null && outputs.length > 0 && outputs.every(({ status }) => status !== 'unreadable');
}

/** Returns which headers of rate limits have a different form from the sandbox's. */
function headerDifferences(
  { rateLimitHeaders, retryAfter }: Options,
  { status, headers }: Answered,
): readonly string[] {
  const form = limitHeadersForm((name) => headers[name] !== undefined);
  const others = otherLimitHeaders(Object.keys(headers));
  const after = headers['retry-after'] ?? '';
  const isDate = !/^\d+$/.test(after) && !Number.isNaN(Date.parse(after));
  const own = isDate ? 'http-date' : 'seconds';
  return [
    ...(form === 'none' || form === rateLimitHeaders
      ? []
      : [
          `has the headers of rate limits of rateLimitHeaders=${form}, but the sandbox assumes rateLimitHeaders=${rateLimitHeaders}.`,
        ]),
    ...(others.length === 0
      ? []
      : [`has headers of rate limits that no option of rateLimitHeaders has: ${firstNames(others, 10)}.`]),
    ...(after === '' || status === 200 || own === retryAfter || (!isDate && !/^\d+$/.test(after))
      ? []
      : [`has a Retry-After of retryAfter=${own}, but the sandbox assumes retryAfter=${retryAfter}.`]),
  ];
}

/** Which types of values a record may lack. */
const lackable: Readonly<Record<OptionOf<'responseFields'>, readonly string[]>> = {
  all: [],
  'not-null': ['null'],
  'not-empty': ['null', 'string', 'array'],
};

/** Finds the documented fields that all records of the sandbox have. */
function fieldFindings(
  { responseFields }: Options,
  operation: OperationName,
  outputs: readonly SeenOutput[],
): ReplyFindings {
  const results = outputs.flatMap((output, index) =>
    output.status === 'ok'
      ? [{ schema: resultSchemas[operation], value: output.data, base: `/${index}/output/data` }]
      : [],
  );
  const differences = missingFields(results)
    // Sessions that have not ended may lack it.
    .filter(({ place }) => !place.endsWith('/endedAtIso'))
    .filter(({ types }) => !types.some((type) => lackable[responseFields].includes(type)))
    .map(({ pointer, count }) => ({
      pointer,
      message: `is documented, but missing in ${counted(count, 'record')}. The sandbox assumes responseFields=${responseFields}.`,
    }));
  return { violations: [], differences };
}

/**
 * Compares the number of outputs with the number of elements. The specification leaves open which elements are
 * processed, so a number that some reading of it explains is not a violation.
 */
function countFindings(
  options: Options,
  { elements }: Sent,
  outputs: readonly SeenOutput[] | null,
): ReplyFindings {
  if (elements === null || outputs === null || outputs.length === elements) return noFindings;
  const count = `has ${counted(outputs.length, 'output')} for ${counted(elements, 'element')}`;
  const { name, readings } = readingsOf(outputs, elements);
  if (readings.length === 0) return { violations: [{ pointer: '', message: `${count}.` }], differences: [] };
  if (readings.includes(options[name])) return noFindings;
  return differing(
    `${count}, as under ${name}=${readings.join(' or ')}, but the sandbox assumes ${name}=${options[name]}.`,
  );
}

/** The options of an assumption that explain a number of outputs. */
interface Readings {
  readonly name: 'batchProcessing' | 'emptyBatch';
  readonly readings: readonly string[];
}

/** Returns the readings under which a reply has another number of outputs than the batch has elements. */
function readingsOf(outputs: readonly SeenOutput[], elements: number): Readings {
  const last = outputs.at(-1);
  const isFailed = last?.status === 'error';
  // A refusal of the whole batch, as of an empty one, may be a single failure.
  if (elements === 0)
    return { name: 'emptyBatch', readings: outputs.length === 1 && isFailed ? ['refuse'] : [] };
  const name = 'batchProcessing';
  if (last === undefined || outputs.length > elements) return { name, readings: [] };
  const isStopped = isFailed && outputs.slice(0, -1).every(({ status }) => status === 'ok');
  const readings = [
    ...(outputs.length === 1 ? ['first-only'] : []),
    ...(isStopped ? ['stop-at-first-error'] : []),
  ];
  return { name, readings };
}

/** Describes a status that the sandbox sends for no cause. */
function unexpected({ status }: Answered, leading: readonly string[]): string {
  const other =
    leading.length === 0
      ? 'no assumption of the sandbox leads to'
      : `the sandbox sends with other options: ${leading.join(' or ')}`;
  return `has the status ${status}, which the specification does not show and ${other}.`;
}

/** Describes how a refusal differs from that of the sandbox. Null if it does not. */
function refusalDifference(options: Options, reply: Answered, expected: Expected): string | null {
  const { status } = reply;
  if (expected.status !== status) {
    const other =
      expected.status === 'inside-body'
        ? 'the status 200 and failed outputs'
        : `the status ${expected.status}`;
    return `has the status ${status}, but the sandbox assumes ${other} (${expected.name}=${options[expected.name]}).`;
  }
  // A body that was not read has no form.
  if (reply.text === null) return null;
  const { name, form } = formOf(options, expected);
  const actual = formIn(reply);
  if (actual === form || (form === 'template' && isObject(reply.json))) return null;
  return `has ${forms[actual]}, but the sandbox assumes ${forms[form]} (${name}=${options[name]}).`;
}

type Form = OptionOf<'refusalBody'>;

/** Returns the form of an expected refusal, and the assumption that decides on it. */
function formOf(options: Options, { body }: Expected): { readonly name: keyof Options; readonly form: Form } {
  const { refusalBody, gatewayRefusalBody, operationFailureBody } = options;
  if (body === 'gatewayRefusalBody' && gatewayRefusalBody !== 'as-refusals')
    return { name: body, form: gatewayRefusalBody };
  if (body === 'operationFailureBody' && operationFailureBody === 'envelope')
    return { name: body, form: 'envelope' };
  return { name: 'refusalBody', form: refusalBody };
}

const forms: Readonly<Record<RefusalForm, string>> = {
  envelope: 'a list of outputs as its body',
  'problem-json': 'a problem document as its body',
  'message-json': 'a JSON object with a message as its body',
  'error-json': 'a JSON object with an error as its body',
  template: 'another JSON object as its body',
  'plain-text': 'plain text as its body',
  html: 'an HTML page as its body',
  empty: 'no body',
  other: 'a body of another kind',
};

function formIn(reply: Answered): RefusalForm {
  return Array.isArray(reply.json)
    ? 'envelope'
    : refusalFormOf(reply.text ?? '', reply.json, mediaTypeOf(reply));
}

function differing(...messages: readonly string[]): ReplyFindings {
  return { violations: [], differences: messages.map((message) => ({ pointer: '', message })) };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
