import { keyStatuses } from './statuses.ts';
import { keyForm, keyOf } from '../sandbox/keys.ts';
import type { School } from '../sandbox/sandbox.ts';
import { splitQuery } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';
import { quoted } from '../base/violation.ts';
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
  if (call.header('service-api-key') === undefined) {
    return refuse(
      'missing-key',
      assume('missingKey'),
      `The call has no API key.${misplacedKeyHint(call)} ${advice}`,
    );
  }
  const sent = call.headers.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'service-api-key');
  const problem =
    sent.length > 1
      ? `The call has ${sent.length} headers SERVICE-API-KEY, but may have one.`
      : `The API key matches no school. A key has the form ${keyForm}.`;
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

/** Returns a hint if the key seems to be in another place, else an empty string. */
function misplacedKeyHint(call: Call): string {
  const misspelled = call.headers.find(
    (text, at) => at % 2 === 0 && text.replaceAll(/[-_.]/g, '').toLowerCase() === 'serviceapikey',
  );
  if (misspelled !== undefined)
    return ` It has a header ${quoted(misspelled)}, but the name is SERVICE-API-KEY, with dashes.`;
  if (call.header('authorization') !== undefined) {
    return ' It has an Authorization header, but the key belongs in SERVICE-API-KEY, without "Bearer".';
  }
  if (call.header('x-api-key') !== undefined)
    return ' It has an X-API-Key header, but the key belongs in SERVICE-API-KEY.';
  if (splitQuery(call.query).secret.some(([name]) => /key|token/i.test(name))) {
    return ' Its query seems to contain one, but the key belongs in a header: URLs end up in logs.';
  }
  return '';
}
