import { STATUS_CODES, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../answer/call.ts';
import type { DirectRequest } from './direct-request.ts';

/**
 * A client that reads nothing of a large reply for this time, in milliseconds, is disconnected, because the
 * reply occupies memory.
 */
export const unreadMs = 30_000;

/**
 * Caches the text of the Date header, because most replies are sent in the same second as the previous one.
 */
export class DateText {
  #second = Number.NaN;
  #text = '';

  of(milliseconds: number): string {
    const second = Math.floor(milliseconds / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1000).toUTCString();
    }
    return this.#text;
  }
}

/**
 * A response that can be sent in one write. Node's ordinary way checks, corks and chunks each one, which
 * costs more than processing the call. If the connection is not simply kept alive, the ordinary way is used.
 */
export class DirectResponse extends ServerResponse<DirectRequest> {
  /** Node keeps the timer of the response before, and would disconnect a client that waits for this one. */
  override assignSocket(socket: Socket): void {
    socket.setTimeout(0);
    super.assignSocket(socket);
  }

  /** Sends the reply and its body. `last` closes the connection afterwards. */
  sendWhole({ status, headers, body, at, release }: Reply, date: DateText, last: boolean): void {
    const { socket, req } = this;
    // The client disconnected.
    if (this.closed) return;
    // Large replies count as in flight until they are sent, and only the ordinary way reports that.
    if (
      last ||
      release !== undefined ||
      socket === null ||
      req.method !== 'POST' ||
      !req.mayKeepConnection()
    ) {
      this.writeHead(status, [
        ...headers,
        'Date',
        date.of(at),
        'Content-Length',
        String(body.length),
        ...(last ? ['Connection', 'close'] : []),
      ]);
      // Prepending the headers would copy a large text.
      if (release === undefined) this.end(body, 'latin1');
      else this.end(Buffer.from(body, 'latin1'));
      return;
    }
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (let name = 0; name < headers.length; name += 2) head += `${headers[name]}: ${headers[name + 1]}\r\n`;
    head += `Date: ${date.of(at)}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n\r\n`;
    // Ends the response, so that the server processes the next request of the connection.
    this.finished = true;
    socket.write(head + body, 'latin1');
    this.emit('finish');
  }

  /**
   * Sends bytes that another server has sent as a part of this response, including its head, or as its end. Returns
   * whether more can be sent at once.
   */
  sendPart(bytes: Buffer, isEnd: boolean): boolean {
    const { socket } = this;
    if (socket === null) return true;
    // As in `sendWhole`.
    if (isEnd) this.finished = true;
    const goesOn = socket.write(bytes);
    if (isEnd) this.emit('finish');
    return goesOn;
  }
}
