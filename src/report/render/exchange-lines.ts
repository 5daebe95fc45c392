import { oneLine } from '../../base/escape.ts';
import type { Report } from '../report.ts';

export type Exchange = Report['exchanges'][number];

/** One line of an exchange, with what is wrong in it. */
export interface ExchangeLine {
  readonly text: string;
  readonly wrong: readonly string[];
}

const maxLineChars = 240;

/** Returns the lines of a request: method and URL, headers, body, trailers. */
export function requestLines({
  method,
  url,
  requestHeaders,
  request,
  requestTrailers = {},
  requestMarks,
}: Exchange): readonly ExchangeLine[] {
  const trailers = headerLines(requestTrailers);
  return [
    ...messageLines(`${method} ${url}`, requestHeaders, request, requestMarks),
    ...(trailers.length === 0 ? [] : [{ text: '', wrong: [] }, ...trailers]),
  ];
}

/** Returns the lines of a response: status, headers, body. */
export function responseLines(exchange: Exchange): readonly ExchangeLine[] {
  const { responseHeaders, response, responseMarks } = exchange;
  return messageLines(resultOf(exchange), responseHeaders, response, responseMarks);
}

/** Returns how a call ended in a few words: `HTTP 429 after 3 ms (throttled)`. */
export function resultOf({ status, durationMs, outcome, faults }: Exchange): string {
  const what = status === 0 ? 'No response' : `HTTP ${status}`;
  const why = faults.length > 0 ? `fault ${faults.join(', ')}` : outcome;
  return `${what} after ${Math.round(durationMs)} ms (${why})`;
}

/** Returns an exchange as plain text: each mistake follows its line. */
export function exchangeText(exchange: Exchange): readonly string[] {
  return [...requestLines(exchange), { text: '', wrong: [] }, ...responseLines(exchange)].flatMap(
    ({ text, wrong }) => [
      text,
      ...wrong.map((message) => `${' '.repeat(text.length - text.trimStart().length)}^ ${message}`),
    ],
  );
}

function messageLines(
  first: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  marks: Exchange['requestMarks'],
): readonly ExchangeLine[] {
  const bodyLines = body === '' ? [] : body.split(/\r\n|\r|\n/);
  const wrongAt = (line: number): readonly string[] =>
    marks.filter((mark) => mark.line === line).map(({ message }) => oneLine(message));
  return [
    { text: shown(first), wrong: wrongAt(0) },
    ...headerLines(headers),
    ...(bodyLines.length === 0 ? [] : [{ text: '', wrong: [] }]),
    ...bodyLines.map((text, index) => ({ text: shown(text), wrong: wrongAt(index + 1) })),
  ];
}

function headerLines(headers: Readonly<Record<string, string>>): readonly ExchangeLine[] {
  return Object.entries(headers).map(([name, value]) => ({ text: shown(`${name}: ${value}`), wrong: [] }));
}

/** Returns a line without characters that cannot be shown, and with its indentation. */
function shown(text: string): string {
  const indent = text.length - text.trimStart().length;
  return `${' '.repeat(Math.min(indent, maxLineChars))}${oneLine(text, maxLineChars)}`;
}
