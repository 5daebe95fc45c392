import { oneLine } from '../base/escape.ts';
import type { Paint, TerminalColor } from '../base/terminal-colors.ts';
import type { ControlChange } from '../http/control-changes.ts';
import { sentence } from '../base/violation.ts';
import { operationNames } from '../contract/operation-types.ts';
import { realTime, type JournalEntry } from '../sandbox/journal-entry.ts';

/** Longer values do not widen their column: one of them would move all later lines. In characters. */
const maxWidth = 40;

/** The widths of columns that fit most calls. */
const usualWidths = {
  requestId: 'default-1000'.length,
  school: 'riverside'.length,
  duration: '100.0 ms'.length,
  status: 'timeout'.length,
  operation: Math.max(...operationNames.map(({ length }) => length).filter((length) => length <= maxWidth)),
  outcome: 'rate-limited'.length,
};

/** The log for people: one line per call or change, in columns. */
export class LogLines {
  readonly #paint: Paint;
  /** The widest value of each column so far. */
  readonly #widths = { ...usualWidths };

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** Returns the line of a request, and one for each hint. */
  of(entry: JournalEntry): string {
    const { at, school, operation, outcome, durationMs, requestId, hints = [] } = entry;
    const paint = this.#paint;
    const duration = this.#in('duration', `${durationMs.toFixed(1)} ms`, 'start');
    const about = [
      at.slice(11, 19),
      this.#in('requestId', requestId),
      this.#in('school', school ?? '-'),
      duration,
    ];
    const result = [
      paint(this.#in('status', statusOf(entry)), colors[outcome] ?? 'red'),
      this.#in('operation', operation),
      ...this.#ending(entry),
    ];
    const notes = hints.map(
      ({ pointer, message }) => `${paint(`          hint: ${pointer}: ${message}`, 'yellow')}\n`,
    );
    return `${paint(about.join('  '), 'dim')}  ${result.join('  ')}\n${notes.join('')}`;
  }

  /** Returns the line of a change through the control plane: dim, because it explains the calls around it. */
  ofChange(change: ControlChange): string {
    const { receivedMs, requestId, who, durationMs, status, method, path, sandbox, tokenSandbox } = change;
    const paint = this.#paint;
    const about = [
      realTime(receivedMs).slice(11, 19),
      this.#in('requestId', requestId),
      this.#in('school', who),
      this.#in('duration', `${durationMs.toFixed(1)} ms`, 'start'),
    ];
    const created = sandbox === null || path.includes(`/${sandbox}`) ? '' : ` (${sandbox})`;
    const token =
      tokenSandbox === null || tokenSandbox === sandbox ? '' : ` with the token of ${tokenSandbox}`;
    const result = this.#in('status', status === 0 ? 'gone' : String(status));
    const what = paint(`${method} ${path}${created} from ${change.address}${token}`, 'dim');
    return `${paint(about.join('  '), 'dim')}  ${paint(result, status < 400 ? 'dim' : 'red')}  ${what}\n`;
  }

  /** Returns the outcome, and why the call failed. */
  #ending(entry: JournalEntry): readonly string[] {
    const { outcome } = entry;
    const color = colors[outcome] ?? 'red';
    const reason = reasonOf(entry);
    if (reason === '') return [this.#paint(wordFor(outcome), color)];
    return [this.#paint(this.#in('outcome', wordFor(outcome)), color), reason];
  }

  /** Pads a value to the width of its column, which grows with longer values. */
  #in(column: keyof typeof usualWidths, text: string, side: 'start' | 'end' = 'end'): string {
    const width = text.length > maxWidth ? this.#widths[column] : Math.max(this.#widths[column], text.length);
    this.#widths[column] = width;
    return side === 'start' ? text.padStart(width) : text.padEnd(width);
  }
}

/** The colors of outcomes. All others are refusals. */
const colors: Readonly<Record<string, TerminalColor>> = {
  ok: 'green',
  'element-error': 'yellow',
  fault: 'magenta',
  'client-gone': 'dim',
};

function wordFor(outcome: string): string {
  return outcome === 'element-error' ? 'error' : outcome;
}

/** Returns the status, or what happened instead of a response. */
function statusOf({ status, faults }: JournalEntry): string {
  if (status !== 0) return String(status);
  const last = faults.findLast(({ fault }) => withoutResponse.has(fault));
  return last === undefined ? 'gone' : last.fault.replace('-response', '');
}

const withoutResponse: ReadonlySet<string> = new Set(['reset', 'timeout', 'empty-response']);

/** The maximum length of a reason, in characters. */
const maxReason = 200;

/** Returns why a call failed, on one line; empty if it did not. */
function reasonOf(entry: JournalEntry): string {
  const { outcome, faults, violations, response } = entry;
  if (outcome === 'ok') return '';
  if (outcome === 'client-gone') return 'The client disconnected before the response.';
  if (outcome === 'fault') return faults.map(injected).join(', ');
  const [first] = violations;
  if (outcome !== 'element-error' && first !== undefined)
    return oneLine(first.pointer === '' ? first.message : sentence(first), maxReason);
  const message = messageIn(response);
  const count = countOf(entry);
  // A single element needs no pointer, if its message is a sentence of its own.
  return oneLine(count === '' ? message.replace(/^\/\S*: (?=[A-Z])/, '') : `${count}${message}`, maxReason);
}

function injected({ fault, phase, rule }: JournalEntry['faults'][number]): string {
  const when = phase === 'after' ? ', after the operation' : '';
  return `${fault} (${rule === null ? 'requested by the call' : `rule ${rule}`}${when})`;
}

/** Returns how many elements failed, if a batch has several. */
function countOf({ outcomes }: JournalEntry): string {
  const failed = outcomes.filter((one) => one === 'error').length;
  return outcomes.length > 1 ? `${failed} of ${outcomes.length} elements: ` : '';
}

/**
 * Returns the first message in a response, whichever format the assumptions give it. A response in the journal
 * can be cut, so it is not always JSON.
 */
function messageIn(response: string): string {
  const [, text = ''] = /"(?:errorMessage|detail|message)":\s*("(?:[^"\\]|\\.)*")/.exec(response) ?? [];
  try {
    return String(JSON.parse(text));
  } catch {
    return '';
  }
}
