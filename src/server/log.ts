import { describe } from '../base/violation.ts';
import { requestIdOf, toEntry, type JournalEntry, type StoredEntry } from '../sandbox/journal-entry.ts';
import { after } from '../sandbox/clock.ts';

export const logFormats = ['pretty', 'json', 'silent'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Where lines go. */
export type Write = (text: string) => void;

/** A log of exchanges: one line each, written a few at a time so that nobody waits for it. */
export interface Log {
  exchange(exchange: StoredEntry, error: unknown): void;
  /** Tells of an error of ours, whatever the format. */
  defect(error: unknown, requestId: string): void;
  flush(): void;
}

/** How long lines are gathered, in milliseconds. */
const gatheringMs = 20;

export async function createLog(format: LogFormat, out: Write, err: Write): Promise<Log> {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) out(lines.join(''));
    lines = [];
  };
  const write = (line: string): void => {
    if (lines.length === 0) after(gatheringMs, flush);
    lines.push(line);
  };
  const structured = format === 'json' ? await structuredLog(write) : null;
  const defect = (error: unknown, requestId: string): void => {
    err(`${requestId}: ${stackOf(error)}\n`);
  };
  return {
    flush,
    defect,
    exchange: (kept, error) => {
      // A defect of ours is told whatever the format; the client never sees it.
      if (error !== undefined) defect(error, requestIdOf(kept.sandboxId, kept.number));
      if (format === 'silent') return;
      if (structured === null) write(pretty(toEntry(kept)));
      else structured(toEntry(kept));
    },
  };
}

/** The stack of an error, and of what it was caused by. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return describe(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\n  caused by ${stackOf(error.cause)}`;
}

/** One JSON object per exchange. Only who asks for it waits for the library. */
async function structuredLog(write: Write): Promise<(entry: JournalEntry) => void> {
  const { pino } = await import('pino');
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return ({ request, response, requestHeaders: _sent, responseHeaders: _answered, cut, ...rest }) => {
    const requestBytes = Buffer.byteLength(request) + cut.request;
    const responseBytes = Buffer.byteLength(response) + cut.response;
    logger.info({ ...rest, requestBytes, responseBytes }, `${rest.operation} ${rest.status} ${rest.outcome}`);
  };
}

function pretty({ at, school, operation, status, outcome, durationMs, requestId }: JournalEntry): string {
  return `${at.slice(11, 19)}  ${status}  ${operation}  ${outcome}  ${school ?? '-'}  ${durationMs.toFixed(1)} ms  ${requestId}\n`;
}
