import { didYouMean } from '../base/did-you-mean.ts';
import { emptyHint } from '../base/text-hint.ts';
import { holdsKey, keyForm, keyOf, parseKey } from '../sandbox/keys.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { CallContext } from './call-context.ts';
import { keyHeaders, keyHeaderViolations, keyHint } from './key-header.ts';
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
  const advice = sandbox.isReachable
    ? `Send ${keyOf(sandbox.id, '<school>')} in the header SERVICE-API-KEY, where <school> is ${schools}.`
    : 'Create a sandbox with POST /control/sandboxes, and send one of its keys in the header SERVICE-API-KEY.';
  // Unlike a key that matches no school, which may have been revoked, a call without one violates the specification.
  const hint = keyHint(call);
  context.violations = keyHeaderViolations(call, hint);
  const key = call.header('service-api-key');
  if (key === undefined) {
    const message = `The call has no API key.${hint} ${advice}`;
    return refuse('missing-key', assume('missingKey'), message);
  }
  const sent = keyHeaders(call);
  const problem =
    sent > 1
      ? `The call has ${sent} SERVICE-API-KEY headers. Send one.`
      : `The API key matches no school.${wrongKeyHint(key, slugs)} A key has the form ${keyForm}.`;
  return refuse('invalid-key', assume('invalidKey'), `${problem} ${advice}`);
}

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
