import { keyForm, keyOf } from '../sandbox/keys.ts';
import type { School } from '../sandbox/sandbox.ts';
import { splitQuery } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';
import { Refusal } from './refusal.ts';

/** The school that calls; a call whose key names none is turned away (specification, Authentication). */
export function authenticate({ call, school, sandbox, assume, full }: CallContext): School | Refusal {
  if (school !== null) return school;
  if (full !== null) return new Refusal('too-many-sandboxes', 503, full);
  const slugs = sandbox.schools().map(({ slug }) => slug);
  const schools = [...slugs.slice(0, maxNamed), ...(slugs.length > maxNamed ? [`one of ${slugs.length - maxNamed} more`] : [])].join(
    ' or ',
  );
  const advice = `Send ${keyOf(sandbox.id, '<school>')} in the header SERVICE-API-KEY, where <school> is ${schools}.`;
  if (call.header('service-api-key') === undefined) {
    return refuse('missing-key', assume('missingKey'), `The call carries no API key.${misplaced(call)} ${advice}`);
  }
  return refuse('invalid-key', assume('invalidKey'), `The API key names no school. A key has the form ${keyForm}. ${advice}`);
}

/** A generated seed may have any number of schools. */
const maxNamed = 10;

const statuses = { 'http-401': 401, 'http-403': 403, 'output-error': 'inside-body' } as const;

function refuse(kind: 'missing-key' | 'invalid-key', option: keyof typeof statuses, message: string): Refusal {
  const status = statuses[option];
  // RFC 9110 wants the scheme named with every 401.
  const headers = status === 401 ? ['WWW-Authenticate', 'ApiKey realm="Learning Platform Public API"'] : [];
  return new Refusal(kind, status, message, { headers });
}

/** Says where a key seems to have been put instead. */
function misplaced(call: Call): string {
  if (call.header('authorization') !== undefined) {
    return ' It has an Authorization header, but the key belongs in SERVICE-API-KEY, without "Bearer".';
  }
  if (call.header('x-api-key') !== undefined) return ' It has an X-API-Key header, but the header is called SERVICE-API-KEY.';
  if (splitQuery(call.query).secret.some(([name]) => /key|token/i.test(name))) {
    return ' Its query seems to hold one, but the key belongs in a header: URLs end up in logs.';
  }
  return '';
}
