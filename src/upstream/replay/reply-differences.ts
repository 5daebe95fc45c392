import { isTooDeep } from '../../base/json-depth.ts';
import { parseJson } from '../../contract/envelope.ts';
import type { RecordedCall } from '../recording/recording.ts';
import { isMaskOf, withoutAssigned, type Bindings } from './bindings.ts';
import { jsonDifferences } from './json-differences.ts';
import type { ReplayedReply } from './send.ts';

/** A way in which a replayed reply differs from the recorded one. */
export interface ReplyDifference {
  readonly aspect: 'status' | 'header' | 'body';
  /** The name of the header, or the pointer into the body; empty for the status. */
  readonly place: string;
  readonly left: string;
  readonly right: string;
}

/** The headers that are compared, by value. */
const ofAny = [
  'content-type',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'www-authenticate',
  'allow',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
] as const;

/** The headers that only a sandbox sends. */
const ofSandbox = ['sandbox-fault', 'sandbox-hint', 'sandbox-assumed'] as const;

/** Returns where a reply differs from the recorded one. `isOfSandbox` is whether a sandbox recorded its own replies. */
export function replyDifferences(
  recorded: RecordedCall,
  replayed: ReplayedReply,
  bindings: Bindings,
  isOfSandbox: boolean,
): readonly ReplyDifference[] {
  if (recorded.status !== replayed.status)
    return [
      {
        aspect: 'status',
        place: '',
        left: shownStatus(recorded.status),
        right: shownStatus(replayed.status),
      },
    ];
  if (recorded.status === 0) return [];
  const ids: readonly (readonly [string, string])[] = [
    [
      recorded.responseHeaders.get('sandbox-request-id') ?? '',
      replayed.headers.get('sandbox-request-id') ?? '',
    ],
  ];
  const own = ids.filter(([one, other]) => one !== '' && other !== '');
  const translate = (text: string): string => bindings.translate(text, own);
  return [
    ...headerDifferences(recorded, replayed, translate, isOfSandbox),
    ...bodyDifferences(recorded, replayed, translate, bindings),
  ];
}

function shownStatus(status: number): string {
  return status === 0 ? 'no response' : String(status);
}

type Translate = (text: string) => string;

function headerDifferences(
  { responseHeaders, sandbox }: RecordedCall,
  { headers }: ReplayedReply,
  translate: Translate,
  isOfSandbox: boolean,
): readonly ReplyDifference[] {
  const names: readonly string[] = sandbox !== null && isOfSandbox ? [...ofAny, ...ofSandbox] : ofAny;
  return names.flatMap((name): readonly ReplyDifference[] => {
    const [one, other] = [responseHeaders.get(name), headers.get(name)];
    const left = one === undefined ? 'absent' : plain(translate(one));
    const right = other === undefined ? 'absent' : plain(other);
    if (left === right || (one !== undefined && other !== undefined && isMaskOf(left, right))) return [];
    return [{ aspect: 'header', place: name, left, right }];
  });
}

/** The default charset of JSON need not be there. */
function plain(value: string): string {
  return value.replace(/;\s*charset="?utf-8"?$/i, '');
}

function bodyDifferences(
  { response, cut }: RecordedCall,
  { text }: ReplayedReply,
  translate: Translate,
  bindings: Bindings,
): readonly ReplyDifference[] {
  // The journal stores only the beginning of a long body.
  if (cut.response) return [];
  const expected = translate(response);
  if (expected === text) return [];
  const [left, right] = [jsonOf(expected), jsonOf(text)];
  if (left !== undefined && right !== undefined)
    return jsonDifferences(left, right, bindings).map(({ pointer, ...values }) => ({
      aspect: 'body',
      place: pointer,
      ...values,
    }));
  if (withoutAssigned(expected) === withoutAssigned(text) || isMaskOf(expected, text)) return [];
  return [{ aspect: 'body', place: '', ...beginningsOf(expected, text) }];
}

/** Returns the value of a body. Undefined if it is compared as text: it is not JSON, or too deep for recursion. */
function jsonOf(body: string): unknown {
  return isTooDeep(body) ? undefined : parseJson(body);
}

/** The number of characters of a text that are shown from where it differs. */
const maxChars = 100;

function beginningsOf(left: string, right: string): { readonly left: string; readonly right: string } {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const from = Math.max(0, at - 20);
  const part = (text: string): string =>
    text === '' ? 'empty' : `${from > 0 ? '…' : ''}${text.slice(from, from + maxChars)}`;
  return { left: part(left), right: part(right) };
}
