import type { JournalEntry } from '../../src/index.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { findCalls } from '../../src/report/find-calls.ts';
import { viewsOf, type Views } from '../../src/report/retried-calls.ts';

/** What a test says of a call; moments are in milliseconds, on both clocks unless said otherwise. */
export interface Sketch {
  /** When it came, in real time. */
  readonly ms: number;
  /** The same on the sandbox's clock. */
  readonly sandboxMs?: number;
  readonly tookMs?: number;
  readonly operation?: string;
  readonly elements?: readonly object[];
  readonly outputs?: readonly ('ok' | 'error')[];
  readonly status?: number;
  readonly outcome?: string;
  readonly faults?: readonly string[];
  /** The number of the last request before the rules of these faults were added; 0 by default. */
  readonly armedAfter?: number;
  /** Whether the call requested its faults, so that no rule injected them. */
  readonly isRequested?: boolean;
  /** The faults that it requests in its header. */
  readonly asks?: string;
  /** How often the rules had been changed. */
  readonly ruleChanges?: number;
  readonly failures?: readonly JournalEntry['failures'][number]['kind'][];
  readonly retryAfter?: number | string;
  readonly key?: string;
  readonly connection?: string;
  /** When its connection was closed, in real time. */
  readonly closedMs?: number;
  readonly clientLeft?: boolean;
  /** Whether it began to arrive before the response to the call before was sent. */
  readonly pipelined?: true;
  /** Headers besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly scope?: string;
  /** The page of the sandbox that sent it. */
  readonly page?: string;
  /** Its place in the order of arrival, where that is not the order of the journal. */
  readonly number?: number;
  /** Characters of the reply that were not kept. */
  readonly cutReply?: number;
}

const start = Date.parse('2026-03-02T08:00:00.000Z');
const sandboxStart = Date.parse('2026-09-01T08:00:00.000Z');

/** Journal entries as a client with these calls would leave them. */
export function entriesOf(sketches: readonly Sketch[]): readonly JournalEntry[] {
  const opened = new Map<string, number>();
  return sketches.map((sketch, index) => {
    const connection = sketch.connection ?? '127.0.0.1:50000';
    const openedMs = Math.min(opened.get(connection) ?? Infinity, sketch.ms);
    opened.set(connection, openedMs);
    return entryOf(sketch, index, openedMs);
  });
}

/** The same calls, and again later for other records: a check may not judge what happened once. */
export function twice(...sketches: readonly Sketch[]): readonly Sketch[] {
  const later = 600_000;
  const again = sketches.map((sketch): Sketch => {
    const { ms, sandboxMs = ms, retryAfter, elements = [{ quizId: 'a' }] } = sketch;
    return {
      ...sketch,
      ms: ms + later,
      sandboxMs: sandboxMs + later,
      elements: elements.map((element) => ({ ...element, again: true })),
      ...(typeof retryAfter === 'string'
        ? { retryAfter: new Date(Date.parse(retryAfter) + later).toUTCString() }
        : {}),
    };
  });
  return [...sketches, ...again];
}

/** The same calls as the checks see them. */
export function viewsOfSketches(sketches: readonly Sketch[]): Views {
  return withoutPause(viewsOf(withoutPause(findCalls(entriesOf(sketches)))));
}

function entryOf(sketch: Sketch, index: number, openedMs: number): JournalEntry {
  const {
    ms,
    sandboxMs = ms,
    tookMs = 0,
    operation = 'get-quiz-details',
    status = 200,
    faults = [],
    failures = [],
  } = sketch;
  const {
    elements = [{ quizId: 'a' }],
    outputs = elements.map(() => 'ok' as const),
    retryAfter,
    cutReply = 0,
    key = 'sbx_defa…de',
    connection = '127.0.0.1:50000',
  } = sketch;
  const withoutFaults = outputs.includes('error') ? 'element-error' : 'ok';
  const usual = faults.length > 0 ? 'fault' : withoutFaults;
  const replies = outputs.map((one) =>
    one === 'ok'
      ? { output: { status: 'ok', data: {} } }
      : { output: { status: 'error', errorMessage: 'No.' } },
  );
  const response = status === 200 || sketch.outcome === 'element-error' ? JSON.stringify(replies) : '';
  return {
    requestId: `default-${sketch.number ?? index + 1}`,
    at: new Date(sandboxStart + sandboxMs).toISOString(),
    receivedAt: new Date(start + ms).toISOString(),
    durationMs: tookMs,
    clientLeft: sketch.clientLeft ?? sketch.outcome === 'client-gone',
    ...(sketch.pipelined === true ? { pipelined: true } : {}),
    method: 'POST',
    operation,
    scope: sketch.scope ?? null,
    page: sketch.page ?? null,
    school: 'riverside',
    key,
    keyElsewhere: [],
    address: '127.0.0.1',
    connection,
    connectionOpenedAt: new Date(start + openedMs).toISOString(),
    connectionClosedAt:
      sketch.closedMs === undefined ? null : new Date(start + sketch.closedMs).toISOString(),
    status,
    outcome: sketch.outcome ?? usual,
    outcomes: (faults.length > 0 || sketch.outcome === 'throttled') && status !== 200 ? [] : outputs,
    failures: failures.map((kind, element) => ({ element, kind })),
    faults: faults.map((fault) => ({
      fault,
      phase: 'before',
      ...(sketch.isRequested === true
        ? { rule: null }
        : { rule: `${fault}-1`, armedAfter: sketch.armedAfter ?? 0 }),
    })),
    assumed: [],
    violations: [],
    url: `/public/${operation}`,
    requestHeaders: {
      'user-agent': 'school-sync/1.2',
      ...sketch.headers,
      ...(sketch.asks === undefined ? {} : { 'sandbox-fault': sketch.asks }),
    },
    ruleChanges: sketch.ruleChanges ?? 0,
    request: JSON.stringify({ data: elements.map((data) => ({ data })) }),
    responseHeaders: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    response: response.slice(0, Math.max(0, response.length - cutReply)),
    cut: { request: 0, response: cutReply },
  };
}
