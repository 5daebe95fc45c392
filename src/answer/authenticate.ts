import { closest, didYouMean } from '../base/did-you-mean.ts';
import { emptyHint } from '../base/text-hint.ts';
import { quoted } from '../base/violation.ts';
import { withoutEncodedKeys } from '../sandbox/encoded-keys.ts';
import { holdsKey, keyForm, keyOf, parseKey, withoutKeys } from '../sandbox/keys.ts';
import type { School } from '../sandbox/sandbox.ts';
import { splitQuery } from '../sandbox/secrets.ts';
import type { CallContext } from './call-context.ts';
import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';
import { keyStatuses } from './statuses.ts';

/** Returns the calling school, or a refusal if the key matches no school (specification, Authentication). */
export function authenticate(context: CallContext): School | Refusal {
  const { call, school, sandbox, assume, full } = context;
  if (school !== null) return school;
  if (full !== null) return new Refusal('too-many-sandboxes', 503, full);
  const slugs = sandbox.schools(maxListed + 1).map(({ slug }) => slug);
  const schools = [
    ...slugs.slice(0, maxListed),
    ...(slugs.length > maxListed ? ['another one of the sandbox'] : []),
  ].join(' or ');
  const advice = `Send ${keyOf(sandbox.id, '<school>')} in the header SERVICE-API-KEY, where <school> is ${schools}.`;
  const key = call.header('service-api-key');
  if (key === undefined) {
    const hint = misplacedKeyHint(call);
    // Unlike a key that matches no school, which may have been revoked, a call without one violates the specification.
    context.violations = [{ pointer: '', message: `${sentWithoutKey}${hint}` }];
    return refuse('missing-key', assume('missingKey'), `The call has no API key.${hint} ${advice}`);
  }
  const sent = call.headers.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'service-api-key');
  const problem =
    sent.length > 1
      ? `The call has ${sent.length} SERVICE-API-KEY headers. Send one.`
      : `The API key matches no school.${wrongKeyHint(key, slugs)} A key has the form ${keyForm}.`;
  return refuse('invalid-key', assume('invalidKey'), `${problem} ${advice}`);
}

/** Follows "the body" in reports, as the messages of all violations do. */
const sentWithoutKey = 'was sent without the header SERVICE-API-KEY, which every call must have.';

/** The maximum number of schools in a message. A generated seed may have any number. */
const maxListed = 10;

function refuse(
  kind: 'missing-key' | 'invalid-key',
  option: keyof typeof keyStatuses,
  message: string,
): Refusal {
  const status = keyStatuses[option];
  // RFC 9110 requires the scheme with every 401.
  const headers = status === 401 ? ['WWW-Authenticate', 'ApiKey realm="Learning Platform Public API"'] : [];
  return new Refusal(kind, status, message, { headers });
}

/** The beginning of a body in which a key is looked for. In characters. */
const maxSearched = 65_536;

/** Returns a hint if the key of a call without one seems to be in another place, else an empty string. */
function misplacedKeyHint(call: Call): string {
  const names = call.headers.filter((_, at) => at % 2 === 0);
  const misspelled = names.find((text) => text.replaceAll(/[-_.]/g, '').toLowerCase() === 'serviceapikey');
  if (misspelled !== undefined)
    return ` It has a header ${quoted(misspelled)}, but the name is SERVICE-API-KEY, with dashes.`;
  const similar = names.find((name) => closest(name, ['service-api-key']) !== undefined);
  if (similar !== undefined)
    return ` It has a header ${quoted(withoutKeys(similar))}. Did you mean "SERVICE-API-KEY"?`;
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
function wrongKeyHint(key: string, slugs: readonly string[]): string {
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
