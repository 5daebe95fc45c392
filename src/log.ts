import { describe } from './contract/violation.ts';
import { toEntry, type JournalEntry, type KeptExchange } from './sandbox/journal.ts';
import { after } from './sandbox/clock.ts';

export const logFormats = ['pretty', 'json', 'silent'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Where lines go. */
export type Write = (text: string) => void;

/** A log of exchanges: one line each, written a few at a time so that nobody waits for it. */
export interface Log {
  exchange(exchange: KeptExchange, error: unknown): void;
  flush(): void;
}

/** How long lines are gathered, in milliseconds. */
const gatheringMs = 20;

export function createLog(format: LogFormat, out: Write, err: Write): Log {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) out(lines.join(''));
    lines = [];
  };
  return {
    flush,
    exchange: (kept, error) => {
      // A defect of ours is told whatever the format; the client never sees it.
      if (error !== undefined) err(`${toEntry(kept).requestId}: ${error instanceof Error ? error.stack : describe(error)}\n`);
      if (format === 'silent') return;
      if (lines.length === 0) after(gatheringMs, flush);
      lines.push(format === 'json' ? `${JSON.stringify(withoutBodies(toEntry(kept)))}\n` : pretty(toEntry(kept)));
    },
  };
}

function withoutBodies({ request, response, ...rest }: JournalEntry): object {
  return { ...rest, requestBytes: Buffer.byteLength(request), responseBytes: Buffer.byteLength(response) };
}

function pretty({ at, school, operation, status, outcome, durationMs, requestId }: JournalEntry): string {
  return `${at.slice(11, 19)}  ${status}  ${operation}  ${outcome}  ${school ?? '-'}  ${durationMs.toFixed(1)} ms  ${requestId}\n`;
}
