import { keyForm } from '../sandbox/keys.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

/** Turns a call away whose key names no school (specification, Authentication). */
export function authenticate({ call, school, sandbox, assume }: Exchange): Refusal | null {
  if (school !== null) return null;
  const schools = [...sandbox.state.collection('schools').all()].map(({ slug }) => slug).join(' or ');
  const advice = `Send sbx_${sandbox.id}_<school> in the header SERVICE-API-KEY, where <school> is ${schools}.`;
  if (call.header('service-api-key') === undefined) {
    return refuse('missing-key', assume('missingKey'), `The call carries no API key.${misplaced(call)} ${advice}`);
  }
  return refuse('invalid-key', assume('invalidKey'), `The API key names no school. A key has the form ${keyForm}. ${advice}`);
}

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
  if (/[?&][^=]*(key|token)[^=]*=/i.test(call.query)) {
    return ' Its query seems to hold one, but the key belongs in a header: URLs end up in logs.';
  }
  return '';
}
