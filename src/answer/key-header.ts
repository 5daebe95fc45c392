import { closest } from '../base/did-you-mean.ts';
import { mistakeIn } from '../base/text-hint.ts';
import { quoted, type Violation } from '../base/violation.ts';
import { withoutEncodedKeys } from '../sandbox/encoded-keys.ts';
import { holdsKey, parseKey, withoutKeys } from '../sandbox/keys.ts';
import { splitQuery } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** The parts of a call that may contain its key. */
type SentCall = Pick<Call, 'header' | 'headers' | 'query' | 'body'>;

/** Returns how many headers of a call are for its key. */
export function keyHeaders({ headers }: Pick<Call, 'headers'>): number {
  return headers.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'service-api-key').length;
}

/**
 * Finds how a call violates the specification, which requires one header with a key for every call. Does not check
 * whether the key exists. The messages follow "the body" in reports, as those of all violations do.
 */
export function keyHeaderViolations(call: SentCall, hint = keyHint(call)): readonly Violation[] {
  const count = keyHeaders(call);
  if (count === 0) {
    const message = `was sent without the header SERVICE-API-KEY, which every call must have.${hint}`;
    return [{ pointer: '', message }];
  }
  if (count > 1) {
    const message = `was sent with ${count} headers SERVICE-API-KEY, but every call must have exactly one.`;
    return [{ pointer: '', message }];
  }
  const problem = problemOf(call.header('service-api-key') ?? '');
  return problem === null ? [] : [{ pointer: '', message: problem }];
}

/** What encloses or separates keys in a header that has more than one key. */
const around = /[\s"'`,;:=<>()[\]{}\\]+/;

/** Returns what is wrong with the form of a key header; null if it may be a key, although perhaps an unknown one. */
function problemOf(value: string): string | null {
  const text = value.trim().slice(0, maxSearchedOfKey);
  if (text === '') return 'was sent with an empty header SERVICE-API-KEY, but every call must have a key.';
  const parts = text.split(around, maxParts);
  if (parseKey(text) === null && parts.some((part) => parseKey(part) !== null))
    return 'was sent with more than a key in the header SERVICE-API-KEY. Send the key alone, once, without quotes and without a scheme such as "Bearer".';
  const bare = text.replace(/^(?:bearer|basic|token|apikey)\s+/i, '').replaceAll(/^["']+|["']+$/g, '');
  const mistake = mistakeIn(bare);
  if (mistake === null) return null;
  return `was sent with ${mistake} in the header SERVICE-API-KEY. Send the key itself: check the variable or the template that it comes from.`;
}

/** The maximum number of parts of a header in which a key is looked for. */
const maxParts = 20;

/** How much of a body, of a header and of the key header is searched for a key, in characters. */
const maxSearched = 65_536;
const maxSearchedOfHeader = 8192;
const maxSearchedOfKey = 1024;

/** Returns a hint if a call has no header for its key, but one seems to be in another place, else an empty string. */
export function keyHint(call: SentCall): string {
  return keyHeaders(call) === 0 ? misplacedKeyHint(call) : '';
}

function misplacedKeyHint(call: SentCall): string {
  const sent = call.headers.filter((_, at) => at % 2 === 0);
  // Each value has those of all headers of its name.
  const names = [...new Map(sent.map((name) => [name.toLowerCase(), name])).values()];
  const holders = names.filter((name) => hasKey(name, call));
  // A similar name without a key must not distract from the header that has it.
  const searched = holders.length > 0 ? holders : names;
  const misspelled = searched.find((text) => text.replaceAll(/[-_.]/g, '').toLowerCase() === 'serviceapikey');
  if (misspelled !== undefined)
    return ` It has a header ${quoted(misspelled)}, but the name is SERVICE-API-KEY, with dashes.`;
  const similar = searched.find((name) => closest(name, ['service-api-key']) !== undefined);
  if (similar !== undefined)
    return ` It has a header ${quoted(withoutKeys(similar))}. Did you mean "SERVICE-API-KEY"?`;
  const [holder] = holders;
  if (holder !== undefined) {
    const alone = /^\w+ /.test(call.header(holder.toLowerCase()) ?? '') ? ', without the scheme' : '';
    return ` A key was found in the header ${quoted(withoutKeys(holder))}: send it in SERVICE-API-KEY instead${alone}.`;
  }
  if (call.header('authorization') !== undefined)
    return ' It has an Authorization header, but the key belongs in SERVICE-API-KEY, without a scheme such as "Bearer".';
  if (call.header('x-api-key') !== undefined)
    return ' It has an X-API-Key header, but the key belongs in SERVICE-API-KEY.';
  if (splitQuery(call.query).secret.some(([name]) => /key|token/i.test(name)) || holdsKey(call.query))
    return ' Its query seems to contain one, but the key belongs in a header: URLs end up in logs.';
  return holdsKey(call.body.slice(0, maxSearched))
    ? ' Its body seems to contain one, but the key belongs in a header.'
    : '';
}

function hasKey(name: string, { header }: SentCall): boolean {
  const plain = name.toLowerCase();
  if (plain.startsWith('sandbox-')) return false;
  const value = (header(plain) ?? '').slice(0, maxSearchedOfHeader);
  return withoutEncodedKeys(value) !== value;
}
