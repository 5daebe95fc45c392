import { keyStatuses } from './statuses.ts';
import { keyForm, keyOf } from '../sandbox/keys.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { CallContext } from './call-context.ts';
import { misplacedKeyHint, wrongKeyHint } from './key-hint.ts';
import { Refusal } from './refusal.ts';

/** Returns the calling school, or a refusal if the key matches no school (specification, Authentication). */
export function authenticate({ call, school, sandbox, assume, full }: CallContext): School | Refusal {
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
    return refuse(
      'missing-key',
      assume('missingKey'),
      `The call has no API key.${misplacedKeyHint(call)} ${advice}`,
    );
  }
  const sent = call.headers.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'service-api-key');
  const problem =
    sent.length > 1
      ? `The call has ${sent.length} SERVICE-API-KEY headers. Send one.`
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
