import type { DirectRequest } from '../server/direct-request.ts';
import type { DirectResponse } from '../server/direct-response.ts';
import { isCall } from '../../base/request-target.ts';
import { Soon } from '../../store/soon.ts';
import { RelayLine } from './relay-line.ts';
import type { Outcome, OpenExchange } from './outcome.ts';

/** Calls with larger bodies are not relayed, in bytes. */
const maxBodyBytes = 65_536;

/** A connection is closed if it was not used for this time, in milliseconds, or up to twice as long. */
const idleMs = 4000;

/** Headers of requests whose bytes have not arrived as they would be sent. */
const ofOtherBytes: ReadonlySet<string> = new Set(['transfer-encoding', 'expect']);

/**
 * Relays calls to other replicas: a call is sent as it has arrived, and the bytes of its response are passed on as they
 * come, with whatever a fault does to them. A client for HTTP takes two or three times the processor time (`npm run
 * bench:hosted`, forwarded).
 */
export class Relay {
  /** The lines without a call, by address. The last one was used last. */
  readonly #idle = new Map<string, RelayLine[]>();
  readonly #sweep = new Soon(idleMs, () => this.#closeUnused());
  #isClosed = false;

  /** Ends the lines that are not in use: a kept one would delay the stop of the other replica. */
  close(): void {
    this.#isClosed = true;
    this.#sweep.cancel();
    for (const lines of this.#idle.values()) for (const line of lines) line.end();
  }

  /** Sends the text of a request to a replica. `opened` is called with the exchange at once. */
  exchange(
    address: string,
    text: string,
    response: DirectResponse,
    opened: (exchange: OpenExchange) => void,
  ): Promise<Outcome> {
    const line = this.#lineTo(address);
    return new Promise((done) => {
      line.send(text, response, done);
      opened(line);
    });
  }

  #lineTo(address: string): RelayLine {
    const idle = this.#idleLines(address);
    for (let line = idle.pop(); line !== undefined; line = idle.pop()) if (line.isOpen) return line;
    return new RelayLine(address, (unused) => this.#keep(address, unused));
  }

  #idleLines(address: string): RelayLine[] {
    const known = this.#idle.get(address) ?? [];
    this.#idle.set(address, known);
    return known;
  }

  #keep(address: string, line: RelayLine): void {
    if (this.#isClosed) return line.end();
    line.isUnused = false;
    this.#idleLines(address).push(line);
    this.#sweep.request();
  }

  #closeUnused(): void {
    for (const [address, lines] of this.#idle) {
      const kept = lines.filter((line) => !line.isUnused && line.isOpen);
      for (const line of lines) if (line.isUnused) line.end();
      for (const line of kept) line.isUnused = true;
      if (kept.length === 0) this.#idle.delete(address);
      else this.#idle.set(address, kept);
    }
    if (this.#idle.size > 0) this.#sweep.request();
  }
}

/**
 * Returns the text of a call to be relayed, in which each character is a byte; null if it cannot be: it has not arrived
 * completely, or responses before its own are not sent.
 */
export function relayedText(
  request: DirectRequest,
  response: DirectResponse,
  more: readonly string[],
): string | null {
  const { rawHeaders, readableLength, url = '' } = request;
  // The parser reports the end of a body a moment after its last byte.
  const isWhole = request.complete || Number(request.header('content-length')) === readableLength;
  const isUsual = request.method === 'POST' && isCall(url);
  if (!isWhole || !isUsual || response.socket === null || readableLength > maxBodyBytes) return null;
  let text = `POST ${request.authority}${url} HTTP/${request.httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (ofOtherBytes.has(name.toLowerCase())) return null;
    text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  for (let at = 0; at < more.length; at += 2) text += `${more[at]}: ${more[at + 1]}\r\n`;
  const body: unknown = request.read();
  return `${text}\r\n${body instanceof Buffer ? body.toString('latin1') : ''}`;
}
