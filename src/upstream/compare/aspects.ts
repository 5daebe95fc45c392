import { isObject } from '../../base/is-object.ts';
import type { OperationName } from '../../contract/operation-types.ts';
import { otherLimitHeaders } from '../../contract/limit-headers.ts';
import { parseJson } from '../../contract/envelope.ts';
import { comparedHeaders, headerForm } from '../calibrate/header-form.ts';
import type { Reply } from '../calibrate/reply.ts';
import {
  documentedFailure,
  documentedPlaces,
  shapeDifferences,
  shapeOf,
  type DocumentedPlaces,
} from './shape.ts';

/** A way in which two replies to the same call differ. */
export interface Aspect {
  readonly aspect: 'status' | 'header' | 'encoding' | 'body' | 'outputs' | 'shape';
  /** The name of the header, or the pointer into the body; empty for other aspects. */
  readonly place: string;
  readonly left: string;
  readonly right: string;
}

/** A reply, or the reason why there is none. */
export type Replied = Reply | { readonly failure: string };

/** Returns how two replies of an operation differ, not counting what other data can cause. */
export function aspectsOf(operation: OperationName, left: Replied, right: Replied): readonly Aspect[] {
  const status = { aspect: 'status', place: '' } as const;
  if ('failure' in left || 'failure' in right) {
    const [one, other] = [left, right].map(statusOf);
    return one === other ? [] : [{ ...status, left: one ?? '', right: other ?? '' }];
  }
  return [
    ...(left.status === right.status ? [] : [{ ...status, left: statusOf(left), right: statusOf(right) }]),
    ...headerAspects(left, right),
    ...(left.hasMark === right.hasMark ? [] : [{ ...encoding, left: markOf(left), right: markOf(right) }]),
    ...bodyAspects(operation, left, right),
  ];
}

const encoding = { aspect: 'encoding', place: '' } as const;

function markOf({ hasMark }: Reply): string {
  return `${hasMark ? 'a' : 'no'} byte order mark (BOM)`;
}

function statusOf(reply: Replied): string {
  return 'failure' in reply ? 'no response' : String(reply.status);
}

function headerAspects(left: Reply, right: Reply): readonly Aspect[] {
  const others = otherLimitHeaders([...left.headerNames, ...right.headerNames]);
  return [...comparedHeaders, ...new Set(others)].flatMap((name): readonly Aspect[] => {
    const [one, other] = [headerForm(name, left), headerForm(name, right)];
    return one === other ? [] : [{ aspect: 'header', place: name, left: one, right: other }];
  });
}

function bodyAspects(operation: OperationName, left: Reply, right: Reply): readonly Aspect[] {
  const [one = '', other = ''] = [left, right].map(kindOf);
  if (one !== other) return [{ aspect: 'body', place: '', left: one, right: other }];
  if (left.outputs !== null && right.outputs !== null) return outputAspects(operation, left, right);
  return one === 'a JSON value' ? shapeAspects([parseJson(left.text)], [parseJson(right.text)], '') : [];
}

function kindOf({ text, outputs, header }: Reply): string {
  if (text === '') return 'empty';
  if (outputs !== null) return 'the response envelope';
  const json = parseJson(text);
  if (Array.isArray(json)) return 'a JSON list that is not the response envelope';
  if (json !== undefined) return 'a JSON value';
  const type = (header('content-type') ?? '').toLowerCase();
  // What a page consists of is of no interest to a client.
  if (type.startsWith('text/html') || /^\s*<(!doctype|html)/i.test(text)) return 'an HTML page';
  return type.includes('json') ? 'invalid JSON' : 'text';
}

/** Outputs differ in their number, order or success; the members of those that succeed, or fail, in their shape. */
function outputAspects(operation: OperationName, left: Reply, right: Reply): readonly Aspect[] {
  const [one = '', other = ''] = [left, right].map(({ outputs }) => outputWords(outputs ?? []));
  const differing: readonly Aspect[] =
    one === other ? [] : [{ aspect: 'outputs', place: '', left: one, right: other }];
  const shapes = ['ok', 'error'].flatMap((status) => {
    const [ofLeft = [], ofRight = []] = [left, right].map(({ text }) => elementsWith(status, text));
    if (ofLeft.length === 0 || ofRight.length === 0) return [];
    return shapeAspects(
      ofLeft,
      ofRight,
      '/*',
      status === 'ok' ? documentedPlaces(operation) : documentedFailure,
    );
  });
  return [...differing, ...shapes];
}

function outputWords(outputs: readonly { readonly status: string }[]): string {
  const shown = outputs.slice(0, 10).map(({ status }) => status);
  const more = outputs.length > shown.length ? `, … (${outputs.length})` : '';
  return outputs.length === 0 ? 'no outputs' : `${shown.join(', ')}${more}`;
}

/** Returns the members of the response envelope whose output has a status. */
function elementsWith(status: string, text: string): readonly unknown[] {
  const body = parseJson(text);
  const members: readonly unknown[] = Array.isArray(body) ? body : [];
  return members.flatMap((member) => {
    const output = isObject(member) ? member['output'] : undefined;
    return isObject(output) && output['status'] === status ? [member] : [];
  });
}

function shapeAspects(
  left: readonly unknown[],
  right: readonly unknown[],
  base: string,
  documented?: DocumentedPlaces,
): readonly Aspect[] {
  return shapeDifferences(shapeOf(left), shapeOf(right), documented).map(({ pointer, ...forms }) => ({
    aspect: 'shape',
    place: `${base}${pointer}`,
    ...forms,
  }));
}
