import { joined } from '../base/wire-text.ts';
import { parseJson } from '../contract/envelope.ts';
import type { FaultyReply } from './faulty-reply.ts';
import { faultNamed, faultNames, type FaultName } from './index.ts';
import { readParameters } from './parameter.ts';

const successful: FaultyReply = {
  status: 200,
  headers: ['Content-Type', 'application/json; charset=utf-8'],
  body: joined('[{"output":{"status":"ok","data":{}}}]'),
  at: 0,
};

/** Returns a successful reply as a fault with its default parameters changes it. */
export function defaultReplyOf(name: FaultName): FaultyReply {
  const fault = faultNamed(name);
  const act = fault?.act(readParameters(fault.parameters, {}).values);
  return act?.kind === 'change' || act?.kind === 'replace' ? act.change(successful) : successful;
}

function faultsWhose(matches: (reply: FaultyReply) => boolean): ReadonlySet<string> {
  return new Set(faultNames.filter((name) => matches(defaultReplyOf(name))));
}

/** The faults that withhold the response while the connection is open. */
export const withholdingFaults = faultsWhose(({ delivery }) => delivery?.kind === 'silence');

/** The faults that send a response that no client can read: invalid HTTP, malformed JSON, or cut off. */
export const unreadableFaults = faultsWhose(
  (reply) => reply.delivery?.kind === 'raw' || isCutOff(reply) || isMalformed(reply),
);

function isCutOff({ delivery }: FaultyReply): boolean {
  return delivery?.kind === 'body' && delivery.cutOff !== undefined;
}

function isMalformed({ status, headers, body }: FaultyReply): boolean {
  return status !== 0 && headers.join().includes('application/json') && parseJson(body) === undefined;
}
