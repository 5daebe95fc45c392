import type { components } from '../contract/generated/control.ts';
import type { AssumptionName } from '../assumptions.ts';
import type { Violation } from '../base/violation.ts';
import { realMoment } from './clock.ts';
import { withoutKeys } from './keys.ts';
import { fromWire, type WireText } from '../base/wire-text.ts';

/** A fault that was injected into a call. */
export interface InjectedFault {
  readonly fault: string;
  readonly phase: 'before' | 'after';
  /** The rule that injected it. Null if the call requested it. */
  readonly rule: string | null;
  /** For a rule that was added individually: the number of the last request before that. */
  readonly armedAfter?: number;
}

/** The outcome of an element. */
type KeptOutcome = { readonly ok: true } | { readonly ok: false; readonly kind: JournaledFailureKind };

export type JournaledFailureKind = JournalEntry['failures'][number]['kind'];

export type KeyPlace = 'url' | 'body' | 'header' | 'trailer';

/** When a connection was opened and closed, in real time from `stopwatch`. The calls on it share the object. */
export interface ConnectionTimes {
  readonly openedMs: number;
  /** Null while it is open. */
  closedMs: number | null;
}

/** The end of a delivery that took time or failed. */
interface Delivery {
  /** Real time, from `stopwatch`. */
  readonly endedMs: number;
  /** Whether the client disconnected before the response was complete. */
  readonly isLeft: boolean;
}

/** A journal entry as the control plane returns it. It never contains a whole key. */
export type JournalEntry = components['schemas']['JournalEntry'];

/**
 * A journal entry as it is stored. It is created for every call, so it holds raw values, which are converted
 * when it is read.
 */
export interface StoredEntry {
  readonly sandboxId: string;
  /** The running number in its sandbox. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Real time, from `stopwatch`. */
  readonly receivedMs: number;
  readonly durationUs: number;
  /** Null if the response was sent at once, with the entry. */
  delivery: Delivery | null;
  readonly method: string;
  /** The operation; for an unmatched request, the end of its path. */
  readonly operation: string;
  /** The name of the test that the call belongs to. */
  readonly scope: string | null;
  /** Our own page that sent the call. */
  readonly page: string | null;
  readonly school: string | null;
  readonly key: string | null;
  /** Where the key was sent, other than in its header. */
  readonly keyElsewhere: readonly KeyPlace[];
  readonly address: string;
  /** The client's port, which with the address identifies the connection. */
  readonly port: number;
  readonly connection: ConnectionTimes;
  /** Whether the request began to arrive before the response to the previous one on its connection was sent. */
  readonly pipelined?: boolean;
  readonly status: number;
  /** The kind of refusal, `client-gone` or `unmatched`. Null if the operation ran. */
  readonly refusal: string | null;
  readonly elements: readonly KeptOutcome[];
  readonly faults: readonly InjectedFault[];
  /** How often the fault rules of the sandbox had been changed. */
  readonly ruleChanges?: number;
  readonly assumed: readonly AssumptionName[];
  readonly violations: readonly Violation[];
  /** The violations of the reply. Only for replies of another server, through the proxy. */
  readonly responseViolations?: readonly Violation[];
  /** Where that reply differs from the sandbox's assumptions. */
  readonly responseDifferences?: readonly Violation[];
  /** How long that server took, in milliseconds. */
  readonly upstreamMs?: number | undefined;
  /** Near misses that did not fail the call. Absent if there are none. */
  readonly hints?: readonly Violation[];
  /** The path as sent. Null for the usual path of the operation. */
  readonly path: string | null;
  readonly query: string;
  /** Name, value, name, value … */
  readonly requestHeaders: readonly string[];
  /** The same for trailers. Absent if there are none. */
  readonly requestTrailers?: readonly string[];
  readonly request: string;
  readonly requestCut: number;
  readonly responseHeaders: readonly string[];
  readonly response: WireText;
  readonly responseCut: number;
}

/** Returns a request id: the sandbox and the running number. */
export function requestIdOf(sandboxId: string, number: number): string {
  return `${sandboxId}-${number}`;
}

export function toEntry(stored: StoredEntry): JournalEntry {
  const { method, operation, scope, page, school, key, address, status, connection } = stored;
  const { faults, assumed, violations, responseViolations, responseDifferences, request } = stored;
  const outcomes = stored.elements.map(({ ok }) => (ok ? 'ok' : 'error'));
  return {
    requestId: requestIdOf(stored.sandboxId, stored.number),
    at: new Date(stored.at).toISOString(),
    receivedAt: realTime(stored.receivedMs),
    durationMs: durationOf(stored),
    clientLeft: stored.delivery?.isLeft ?? stored.refusal === 'client-gone',
    ...(stored.pipelined === true ? { pipelined: true } : {}),
    method,
    operation,
    scope,
    page,
    school,
    key,
    keyElsewhere: stored.keyElsewhere,
    address,
    connection: `${address.includes(':') ? `[${address}]` : address}:${stored.port}`,
    connectionOpenedAt: realTime(connection.openedMs),
    connectionClosedAt: connection.closedMs === null ? null : realTime(connection.closedMs),
    status,
    outcome: outcomeOf(stored),
    outcomes,
    failures: stored.elements.flatMap((one, element) => (one.ok ? [] : [{ element, kind: one.kind }])),
    faults,
    ...(stored.ruleChanges === undefined ? {} : { ruleChanges: stored.ruleChanges }),
    assumed,
    violations,
    ...(responseViolations === undefined ? {} : { responseViolations }),
    ...(responseDifferences === undefined ? {} : { responseDifferences }),
    ...(stored.upstreamMs === undefined ? {} : { upstreamMs: stored.upstreamMs }),
    ...(stored.hints === undefined ? {} : { hints: stored.hints }),
    url: `${stored.path ?? `/public/${operation}`}${stored.query}`,
    requestHeaders: headersOf(stored.requestHeaders),
    ...(stored.requestTrailers === undefined ? {} : { requestTrailers: headersOf(stored.requestTrailers) }),
    request,
    responseHeaders: headersOf(stored.responseHeaders),
    response: withoutKeys(fromWire(stored.response)),
    cut: { request: stored.requestCut, response: stored.responseCut },
  };
}

export function realTime(ms: number): string {
  return new Date(realMoment(ms)).toISOString();
}

/** Returns the time until the response was sent, or until the client left, in milliseconds. */
export function durationOf({
  delivery,
  receivedMs,
  durationUs,
}: Pick<StoredEntry, 'delivery' | 'receivedMs' | 'durationUs'>): number {
  return delivery === null ? durationUs / 1000 : Math.round((delivery.endedMs - receivedMs) * 1000) / 1000;
}

export function outcomeOf({ faults, refusal, elements }: StoredEntry): string {
  if (faults.length > 0 && refusal !== 'client-gone') return 'fault';
  return refusal ?? (elements.every(({ ok }) => ok) ? 'ok' : 'element-error');
}

/** Returns headers by lower-case name; joins the values of repeated headers with commas. */
function headersOf(list: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = list[at]?.toLowerCase() ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? (list[at + 1] ?? '') : `${before}, ${list[at + 1]}`);
  }
  return Object.fromEntries(headers);
}
