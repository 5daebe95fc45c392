import {
  merged,
  type Difference,
  type DifferenceReport,
  type SkippedCall,
} from '../difference-report/report.ts';
import { isOfProxy, operationIn, type RecordedCall } from '../recording/recording.ts';
import { Bindings } from './bindings.ts';
import { replayKey, type StageKeys } from './replay-key.ts';
import { replyDifferences, type ReplyDifference } from './reply-differences.ts';
import type { ReplayedOperation, ReplayedReply, ReplayedRequest, SendOnce } from './send.ts';

/** The sandbox that plays a recording. */
export interface Stage extends StageKeys {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Stops its clock at a moment. Ends the waits that are over then. */
  setClock(moment: number): Promise<void>;
  /** Resolves when a call waits in the sandbox, or has probably arrived there. */
  arrival(isOver: () => boolean): Promise<void>;
}

/** What to replay, and how. */
export interface ReplayPlan {
  readonly recording: readonly RecordedCall[];
  /** Whether the stage has the fault rules of the recording, such as its scenario. */
  readonly hasRules: boolean;
  readonly send: SendOnce;
  /** Called before each call. A rejection stops the replay. */
  readonly before?: (name: string) => void;
}

/** Longer calls have waited for something: the clock then moves to their end. In milliseconds. */
const longMs = 20;

/** Sends the calls of a recording in the order of their arrival, each at its moment, and compares the replies. */
export async function replay(plan: ReplayPlan, stage: Stage): Promise<DifferenceReport> {
  const { recording } = plan;
  const recordedId = sandboxIdIn(recording) ?? stage.sandboxId;
  const bindings = new Bindings([
    ...hostsIn(recording).map((host) => [`http://${host}`, stage.baseUrl] as const),
    [`sbx_${recordedId}_`, `sbx_${stage.sandboxId}_`],
    [`/media/${recordedId}/`, `/media/${stage.sandboxId}/`],
  ]);
  const isOfSandbox = !isOfProxy(recording);
  const differences: Difference[] = [];
  const compared: DifferenceReport['compared'][number][] = [];
  const skipped: SkippedCall[] = [];
  for (const { recorded, name: call } of inOrder(recording)) {
    const operation = operationIn(recorded) ?? 'unmatched';
    plan.before?.(`${call} ${operation}`);
    const found = await replayCall(recorded, recordedId, { plan, stage, bindings, isOfSandbox });
    if (typeof found === 'string') {
      skipped.push({ operation, call, why: found });
      continue;
    }
    compared.push({ operation, call, count: 1 });
    differences.push(...found.map((one) => differenceOf(operation, call, one)));
  }
  const title = `Replay of ${compared.length} recorded calls`;
  return { title, sides: ['recorded', 'replayed'], compared, differences: merged(differences), skipped };
}

interface Staging {
  readonly plan: ReplayPlan;
  readonly stage: Stage;
  readonly bindings: Bindings;
  /** Whether the recorded responses may have headers of a sandbox. */
  readonly isOfSandbox: boolean;
}

/** Returns how the reply to a call differs, or why it was not compared. */
async function replayCall(
  recorded: RecordedCall,
  recordedId: string,
  staging: Staging,
): Promise<readonly ReplyDifference[] | string> {
  const { plan, stage, bindings, isOfSandbox } = staging;
  const unsent = whyUnsent(recorded);
  if (unsent !== null) return unsent;
  const { key, isGuessed } = replayKey(recorded, recordedId, stage);
  const reply = await play(recorded, requestOf(recorded, key, staging), stage, plan.send);
  const uncompared = whyUncompared(recorded, plan.hasRules);
  if (uncompared !== null) return uncompared;
  const found = replyDifferences(recorded, reply, bindings, isOfSandbox);
  return isGuessed ? found.filter(({ aspect }) => aspect !== 'body') : found;
}

/** The id of the sandbox whose journal this is. */
function sandboxIdIn(recording: readonly RecordedCall[]): string | null {
  const id = recording.find(({ sandbox }) => sandbox !== null)?.sandbox?.requestId;
  return id === undefined ? null : id.slice(0, id.lastIndexOf('-'));
}

/** The hosts to which the calls were sent, which occur in URLs of replies. */
function hostsIn(recording: readonly RecordedCall[]): readonly string[] {
  const hosts = recording.flatMap(({ requestHeaders }) => requestHeaders.get('host') ?? []);
  return [...new Set(hosts)].slice(0, 10);
}

/** Returns the calls in the order of their arrival: a journal has them in the order of their responses. */
function inOrder(recording: readonly RecordedCall[]): readonly { recorded: RecordedCall; name: string }[] {
  const named = recording.map((recorded, at) => ({ recorded, name: `call-${at + 1}` }));
  return named.toSorted(
    ({ recorded: one }, { recorded: other }) =>
      numberOf(one) - numberOf(other) || (one.sandbox === null ? one.at - other.at : 0),
  );
}

/** Returns the number in a request id; 0 for recordings of other services. */
function numberOf({ sandbox }: RecordedCall): number {
  return Number(sandbox?.requestId.slice(sandbox.requestId.lastIndexOf('-') + 1) ?? 0);
}

/** Why a call got a response of the proxy instead of one of the service, by the outcome in its journal. */
const repliesOfProxy: Readonly<Record<string, string>> = {
  'upstream-failed': 'the proxy made its response, because the service did not respond',
  'upstream-timeout': 'the proxy made its response, because the service did not respond in time',
  'request-violation': 'the proxy refused it (--errors)',
  'response-violation': 'the proxy withheld its response (--errors)',
};

function whyUnsent(recorded: RecordedCall): string | null {
  const { cut, at, method } = recorded;
  // A sandbox does not read the body of a request that is not a call, and so does not store it.
  const isCall = method === 'POST' && operationIn(recorded) !== null;
  if (cut.request && isCall) return 'its body was not stored as a whole';
  if (Number.isNaN(at)) return 'it has no time';
  const ofProxy = repliesOfProxy[recorded.sandbox?.outcome ?? ''];
  if (ofProxy !== undefined) return ofProxy;
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method) ? `${method} cannot be sent` : null;
}

function whyUncompared({ sandbox }: RecordedCall, hasRules: boolean): string | null {
  if (sandbox?.clientLeft === true) return 'its client left before the response';
  const rule = sandbox?.faults.find((fault) => fault.rule !== null);
  return rule === undefined || hasRules
    ? null
    : 'a fault rule shaped its response; replay with --scenario, or with faults in headers';
}

/** Headers of one connection, of the client's machine, or with secrets. */
const notSent =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|cookie|authorization|service-api-key|sec-.*)$/;

/** What HTTP allows in headers. A journal has others: masked names and values. */
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/;
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

function requestOf(
  recorded: RecordedCall,
  key: string | null,
  { plan: { hasRules }, stage, bindings }: Staging,
): ReplayedRequest {
  const sent = [...recorded.requestHeaders].filter(
    ([name, value]) => !notSent.test(name) && fieldName.test(name) && fieldValue.test(value),
  );
  const rule = recorded.sandbox?.faults.find((one) => one.rule !== null);
  // The same fault, so that the operation runs or not as it did.
  const repeated = rule === undefined || hasRules ? {} : { 'sandbox-fault': rule.fault };
  return {
    url: `${stage.baseUrl}${recorded.target}`,
    method: recorded.method,
    headers: {
      ...Object.fromEntries(sent),
      ...repeated,
      ...(key === null ? {} : { 'service-api-key': bindings.translate(key) }),
    },
    body: bindings.translate(recorded.request),
  };
}

/** Makes a call at its recorded moment, and ends its waits at its recorded end. */
async function play(
  { at, durationMs, sandbox }: RecordedCall,
  request: ReplayedRequest,
  stage: Stage,
  send: SendOnce,
): Promise<ReplayedReply> {
  const left = new AbortController();
  await stage.setClock(at);
  let isOver = false;
  const sending = send(request, left.signal).finally(() => (isOver = true));
  if (durationMs >= longMs && sandbox !== null) {
    await stage.arrival(() => isOver);
    await stage.setClock(at + Math.ceil(durationMs));
    if (sandbox.clientLeft) left.abort();
  }
  return sending;
}

function differenceOf(operation: ReplayedOperation, call: string, one: ReplyDifference): Difference {
  const { aspect, place, left, right } = one;
  return {
    id: [aspect, operation, call, ...(place === '' ? [] : [place])].join(':'),
    operation,
    call,
    what: place === '' ? aspect : `${aspect} ${place}`,
    left,
    right,
    count: 1,
    explanation: null,
  };
}
