import { didYouMean } from '../base/did-you-mean.ts';
import { emptyHint } from '../base/text-hint.ts';
import { quoted } from '../base/violation.ts';
import { withoutEncodedKeys } from '../sandbox/encoded-keys.ts';
import { holdsKey, parseKey, withoutKeys } from '../sandbox/keys.ts';
import { splitQuery } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** The beginning of a body in which a key is looked for. In characters. */
const maxSearched = 65_536;

/** Returns a hint if the key of a call without one seems to be in another place, else an empty string. */
export function misplacedKeyHint(call: Call): string {
  const names = call.headers.filter((_, at) => at % 2 === 0);
  const misspelled = names.find((text) => text.replaceAll(/[-_.]/g, '').toLowerCase() === 'serviceapikey');
  if (misspelled !== undefined)
    return ` It has a header ${quoted(misspelled)}, but the name is SERVICE-API-KEY, with dashes.`;
  const holder = names.find((name) => hasKey(name, call));
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

function hasKey(name: string, { header }: Call): boolean {
  const plain = name.toLowerCase();
  if (plain.startsWith('sandbox-')) return false;
  const value = header(plain) ?? '';
  return withoutEncodedKeys(value) !== value;
}

/** Returns a hint about a key that matches no school. Does not repeat the key. */
export function wrongKeyHint(key: string, slugs: readonly string[]): string {
  const parsed = parseKey(key);
  if (parsed !== null) return didYouMean(parsed.slug, slugs);
  if (holdsKey(key)) {
    const right = key.toLowerCase();
    return parseKey(right) === null
      ? ' It has extra characters around the key: send the key alone, without "Bearer" or quotes.'
      : ' It has capital letters: keys are in lower case.';
  }
  return emptyHint(key);
}
