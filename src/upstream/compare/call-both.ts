import type { Request, Upstream } from '../calibrate/upstream.ts';
import { aspectsOf } from './aspects.ts';
import type { Dispute } from './try-options.ts';
import { replyTo, type Twin } from './twin.ts';

/** A call as each side gets it. */
export interface BothRequests {
  readonly service: Request;
  readonly sandbox: Request;
}

/** Makes a call to both sides, and returns how their replies differ. */
export async function callBoth(
  requests: BothRequests,
  twin: Twin,
  service: Pick<Upstream, 'call'>,
): Promise<Dispute> {
  const first = await callOnce(requests, twin, service);
  if (first.aspects.length === 0 || first.request.operation !== 'submit-user-course-item') return first;
  // Only one side may have had such a submission before. Now both have.
  first.before?.state.discard();
  return callOnce(requests, twin, service);
}

async function callOnce(
  { service, sandbox }: BothRequests,
  twin: Twin,
  upstream: Pick<Upstream, 'call'>,
): Promise<Dispute> {
  const before = twin.before(sandbox);
  const seen = await replyTo(upstream, service);
  const own = await twin.call(sandbox);
  return { request: sandbox, before, seen, own, aspects: aspectsOf(sandbox.operation, seen, own) };
}
