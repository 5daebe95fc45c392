import { STATUS_CODES, ServerResponse } from 'node:http';
import type { Reply } from '../../answer/call.ts';
import type { DirectRequest } from './direct-request.ts';

/** A client that takes nothing of a large reply for this long is disconnected, because the reply takes up memory that others need. In milliseconds. */
export const unreadMs = 30_000;

/** The text of the Date header: most replies are of the same second as the one before. */
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
 * A response that can be given whole, in one write. The ordinary way checks, corks and chunks each one as if more were to come,
 * which costs a call more than answering it. Where the connection is not simply to be kept, it is sent the ordinary way.
 */
export class DirectResponse extends ServerResponse<DirectRequest> {
  /** Sends the reply and its body. `last` closes the connection behind it. */
  sendWhole({ status, headers, body, at, release }: Reply, date: DateText, last: boolean): void {
    const { socket, req } = this;
    // Nobody is there any more.
    if (this.closed) return;
    // What is large must be counted until it has left, which only the ordinary way tells.
    if (last || release !== undefined || socket === null || req.method !== 'POST' || !req.mayKeepConnection()) {
      this.writeHead(status, [
        ...headers,
        'Date',
        date.of(at),
        'Content-Length',
        String(body.length),
        ...(last ? ['Connection', 'close'] : []),
      ]);
      // A large text would be copied once more to put the headers before it.
      if (release === undefined) this.end(body, 'latin1');
      else this.end(Buffer.from(body, 'latin1'));
      return;
    }
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (let name = 0; name < headers.length; name += 2) head += `${headers[name]}: ${headers[name + 1]}\r\n`;
    head += `Date: ${date.of(at)}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n\r\n`;
    // Nothing may be added any more, and the server turns to the connection's next request.
    this.finished = true;
    socket.write(head + body, 'latin1');
    this.emit('finish');
  }
}
