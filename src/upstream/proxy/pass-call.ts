import type { OperationName } from '../../contract/operation-types.ts';
import type { CheckedReply } from '../../contract/checked-message.ts';
import { bothFindings, noFindings, type ReplyFindings } from '../../contract/reply-check.ts';
import type { ValidatingProxy } from '../../contract/validating-proxy.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { withoutMark } from '../../base/utf8.ts';
import type { Violation } from '../../base/violation.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { weightOfCheck, type BodyText } from './body-text.ts';
import { headersByName } from '../../base/headers.ts';
import { UpstreamFailure, type Forward, type ProxiedCall, type ProxiedReply } from './messages.ts';
import { keepingExchange, type Fate } from './keep-exchange.ts';
import { readBody, type ReadBody, type Reading } from './read-body.ts';
import { explainingRequest, ofKeyHeader, type CheckedRequest } from './request-check.ts';
import { replyDifferences } from './reply-differences.ts';
import { brokenReply, brokenRequest, failedUpstream, withHeaders } from './replies.ts';
import { Secrets, type KnownSecrets } from './secrets.ts';

/** What a proxy needs to forward calls. */
export interface ProxyMeans {
  /** The sandbox whose journal records the calls. */
  readonly sandbox: Sandbox;
  readonly validating: ValidatingProxy;
  readonly reading: Reading;
  readonly forward: Forward;
  /** The name of the upstream in messages. */
  readonly upstream: string;
  /** Whether violations become errors. */
  readonly errors: boolean;
  readonly secrets: KnownSecrets;
  /** Called after each call was recorded. The response waits for it. */
  readonly observe: (passed: PassedExchange) => void | Promise<void>;
}

/** A whole call. It contains the key and the data of a real school, so it must stay in memory. */
export interface PassedExchange {
  readonly kept: StoredEntry;
  readonly call: ProxiedCall;
  /** The upstream's response and its body as text; null if there was none or it is unreadable. */
  readonly answered: ProxiedReply | null;
  readonly requestText: string | null;
  readonly responseText: string | null;
  /** Unchecked bodies with reasons, without secrets. */
  readonly unchecked: readonly string[];
}

/** The state of a call in progress. */
interface Passage {
  readonly answered: UpstreamReply | null;
  readonly requestViolations: readonly Violation[];
  readonly found: ReplyFindings;
  readonly failure: UpstreamFailure | null;
  /** The body of the response. Undefined if it is not JSON. */
  readonly json: unknown;
}

/** The upstream's response, with what is needed to check it. */
interface UpstreamReply extends CheckedReply {
  readonly whole: ProxiedReply;
  readonly read: BodyText;
  /** Whether its body begins with a byte order mark, which `read` is without. */
  readonly hasMark: boolean;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
}

/** Forwards one call and records it in the journal. */
export async function passCall(call: ProxiedCall, means: ProxyMeans): Promise<ProxiedReply | null> {
  const { sandbox, errors, upstream, observe } = means;
  const arrival = { number: sandbox.nextNumber(), at: sandbox.clock.now(), started: stopwatch() };
  const headers = headersByName(call.headers);
  const request = await readBody(
    call.body,
    headers['content-encoding'],
    call.memory.request,
    means.reading,
    false,
  );
  // Before the call is forwarded: no call is lost if the server stops meanwhile.
  const secrets = new Secrets(headers, call.query, means.secrets);
  const isKeyInBody = await means.reading.slices.run(secrets.findingKey(textOf(request.read) ?? ''));
  const passage = await passOn(call, headers, request, means);
  const told = {
    request: secrets.maskViolations(passage.requestViolations),
    response: secrets.maskViolations(passage.found.violations),
    differences: secrets.maskViolations(passage.found.differences),
  };
  const { answered, failure, json } = passage;
  const fate = fateOf(passage, errors && told.response.length > 0);
  const unanswered = failure === null ? brokenRequest(told.request) : failedUpstream(failure);
  const reply = failure === null && answered !== null ? answered.whole : unanswered;
  const shown = fate === 'response-violation' ? brokenReply(upstream, reply.status, told.response) : reply;
  const given = fate === 'client-gone' ? null : withHeaders(shown, `${sandbox.id}-${arrival.number}`, told);
  const kept = await means.reading.slices.runToEnd(() =>
    keepingExchange(
      {
        call,
        headers,
        request: request.read,
        given,
        read: fate === 'passed' ? (answered?.read ?? null) : null,
        json,
        fate,
        upstreamMs: answered?.tookMs,
        told,
        secrets,
        isKeyInBody,
        ...arrival,
      },
      sandbox,
    ),
  );
  await observe({
    kept,
    call,
    answered: answered?.whole ?? null,
    requestText: textOf(request.read),
    responseText: answered?.text ?? null,
    unchecked: secrets.maskAll([
      ...unread('request', request.read),
      ...(answered === null ? [] : unread('response', answered.read)),
    ]),
  });
  return given;
}

function fateOf({ answered, failure }: Passage, isRefused: boolean): Fate {
  if (failure !== null) return failure.kind;
  if (answered === null) return 'request-violation';
  return isRefused ? 'response-violation' : 'passed';
}

/** Forwards a call and validates both sides against the contract. */
async function passOn(
  call: ProxiedCall,
  headers: Readonly<Record<string, string>>,
  { read: request, scale }: ReadBody,
  { sandbox, validating, reading, forward, errors }: ProxyMeans,
): Promise<Passage> {
  const text = textOf(request);
  const { slices, queue, caps } = reading;
  const run = <T>(read: BodyText, work: SlicedWork<T>): Promise<T> =>
    queue.run(weightOfCheck(read), () => slices.run(work));
  const thoroughness = scale === 'large' ? 'first' : 'every';
  const checked: CheckedRequest =
    text === null
      ? { violations: wrong(request), elements: null }
      : await run(
          request,
          explainingRequest({ operation: call.operation, headers, text, thoroughness }, sandbox.checks, caps),
        );
  let requestViolations: readonly Violation[] = [];
  let failure: UpstreamFailure | null = null;
  let answered: UpstreamReply | null = null;
  const explained = checked.violations;
  const { reply, found, json } = await validating.pass<UpstreamReply>(
    { operation: call.operation, headers, text, scale, explained },
    async (violations) => {
      requestViolations = [...ofKeyHeader(call, headers), ...violations];
      if (errors && requestViolations.length > 0) return null;
      try {
        const sent = stopwatch();
        const whole = await forward(call);
        const tookMs = Math.round((stopwatch() - sent) * 1000) / 1000;
        // Many responses can arrive together.
        await reading.slices.ownTurns.taken();
        return (answered = { ...(await read(whole, call, reading)), tookMs });
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failure = error;
        return null;
      }
    },
    (work) => run(answered?.read ?? request, work),
  );
  const { operation } = call;
  const sent = { operation, checked, headers, sandbox };
  const all = reply === null ? noFindings : allFindings(found, reply, json, sent);
  return { answered: reply, requestViolations, found: all, failure, json };
}

/** Adds what only the sandbox's options and the request show about a reply. */
function allFindings(
  found: ReplyFindings,
  reply: UpstreamReply,
  json: unknown,
  {
    operation,
    checked,
    headers,
    sandbox,
  }: {
    readonly operation: OperationName;
    readonly checked: CheckedRequest;
    readonly headers: Readonly<Record<string, string>>;
    readonly sandbox: Sandbox;
  },
): ReplyFindings {
  const hasKey = headers['service-api-key'] !== undefined;
  const expected = replyDifferences(sandbox.options, operation, { ...checked, hasKey }, { ...reply, json });
  const own = reply.hasMark ? bothFindings(expected, beginsWithMark) : expected;
  const unreadable = wrong(reply.read);
  if (reply.status !== 200) {
    // The same finding in the words of the contract would be one too many.
    const differences = own.differences.length > 0 ? own.differences : found.differences;
    return { violations: own.violations, differences: [...differences, ...unreadable] };
  }
  return bothFindings({ ...found, violations: [...found.violations, ...unreadable] }, own);
}

async function read(
  whole: ProxiedReply,
  { memory }: ProxiedCall,
  reading: Reading,
): Promise<Omit<UpstreamReply, 'tookMs'>> {
  const headers = headersByName(whole.headers);
  const { read: received, scale } = await readBody(
    whole.body,
    headers['content-encoding'],
    memory.response,
    reading,
    true,
  );
  const read = 'text' in received ? { text: withoutMark(received.text) } : received;
  const hasMark = textOf(read) !== textOf(received);
  return { status: whole.status, headers, text: textOf(read), scale, whole, read, hasMark };
}

const beginsWithMark: ReplyFindings = {
  violations: [],
  differences: [
    { pointer: '', message: 'begins with a byte order mark (BOM), which some JSON parsers do not accept.' },
  ],
};

function textOf(read: BodyText): string | null {
  return 'text' in read ? read.text : null;
}

function wrong(read: BodyText): readonly Violation[] {
  return 'wrong' in read ? [{ pointer: '', message: read.wrong }] : [];
}

function unread(side: string, read: BodyText): readonly string[] {
  return 'unread' in read ? [`The body of the ${side} ${read.unread}.`] : [];
}
