import { describe } from '../base/violation.ts';
import { traceIdOf } from '../base/trace-context.ts';
import type { ControlChange } from '../http/control-changes.ts';
import {
  realTime,
  requestIdOf,
  toEntry,
  type JournalEntry,
  type StoredEntry,
} from '../sandbox/journal-entry.ts';
import { painter } from '../base/terminal-colors.ts';
import { after } from '../sandbox/clock.ts';
import { LogLines } from './log-lines.ts';

export const logFormats = ['pretty', 'json', 'silent'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Writes text to an output. */
type Write = (text: string) => void;

/**
 * The log, with one line for each call and for each change through the control plane. Lines are written in batches, so that no request waits for
 * them.
 */
export interface Log {
  exchange(entry: StoredEntry, error: unknown): void;
  /** Writes a change through the control plane; null if the format has none. */
  readonly change: ((change: ControlChange) => void) | null;
  /** Writes a defect of the sandbox in every format. */
  defect(error: unknown, requestId: string): void;
  flush(): void;
}

/** The outputs of a log. */
export interface Outputs {
  readonly out: Write;
  readonly err: Write;
  /** Whether the output shows colors; false by default. */
  readonly colors?: boolean;
}

/** How long lines are collected before they are written. */
const batchingMs = 20;

export async function createLog(format: LogFormat, { out, err, colors = false }: Outputs): Promise<Log> {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) out(lines.join(''));
    lines = [];
  };
  const write = (line: string): void => {
    if (lines.length === 0) after(batchingMs, flush);
    lines.push(line);
  };
  const structured = format === 'json' ? await structuredLog(write) : null;
  const pretty = new LogLines(painter(colors));
  const defect = (error: unknown, requestId: string): void => {
    err(`${requestId}: ${stackOf(error)}\n`);
  };
  return {
    flush,
    defect,
    exchange: (stored, error) => {
      // The client does not see a defect of the sandbox, so every format writes it.
      if (error !== undefined) defect(error, requestIdOf(stored.sandboxId, stored.number));
      if (format === 'silent') return;
      if (structured === null) write(pretty.of(toEntry(stored)));
      else structured.call(toEntry(stored));
    },
    change:
      format === 'silent'
        ? null
        : (change) => {
            if (structured === null) write(pretty.ofChange(change));
            else structured.change(change);
          },
  };
}

/** Returns the stack of an error and of its causes. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\n  caused by ${stackOf(error.cause)}`;
}

/** Writes one JSON object per line. */
interface StructuredLog {
  call(entry: JournalEntry): void;
  change(change: ControlChange): void;
}

/** Loads the library only for this format. */
async function structuredLog(write: Write): Promise<StructuredLog> {
  const { pino } = await import('pino');
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    call: (entry) => {
      const { request, response, requestHeaders, requestTrailers: _after, ...others } = entry;
      const { responseHeaders: _answered, cut, ...rest } = others;
      const requestBytes = Buffer.byteLength(request) + cut.request;
      const responseBytes = Buffer.byteLength(response) + cut.response;
      const trace = traceOf(traceIdOf(requestHeaders['traceparent']));
      logger.info(
        { ...rest, requestBytes, responseBytes, ...trace },
        `${rest.operation} ${rest.status} ${rest.outcome}`,
      );
    },
    change: ({ receivedMs, tokenSandbox, traceId, ...rest }) => {
      const { method, path, status } = rest;
      const token = tokenSandbox === null ? {} : { tokenSandbox };
      logger.info(
        { kind: 'control', receivedAt: realTime(receivedMs), ...rest, ...token, ...traceOf(traceId) },
        `${method} ${path} ${status}`,
      );
    },
  };
}

function traceOf(traceId: string | null): { readonly traceId?: string } {
  return traceId === null ? {} : { traceId };
}
