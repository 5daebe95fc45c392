import type { Socket } from 'node:net';
import { DirectRequest } from './direct-request.ts';
import type { DirectResponse } from './direct-response.ts';
import { problemBody, problemType } from '../../base/problem.ts';

/** The last two responses of a connection. */
interface Connection {
  previous: DirectResponse | null;
  newest: DirectResponse | null;
  /** What was sent is still to arrive; nothing more is answered. */
  isClosing: boolean;
}

const stopping = {
  status: 503,
  title: 'Server stopping',
  detail: 'The server stopped before the request had arrived whole, so nothing of it was done. Send it again when the server is back.',
};

/** The connections of one server. */
export class Connections {
  readonly #all = new Map<Socket, Connection>();

  open(socket: Socket): void {
    this.#all.set(socket, { previous: null, newest: null, isClosing: false });
    socket.once('close', () => void this.#all.delete(socket));
  }

  /** Notes a response that begins. Returns false if the request is not to be answered any more. */
  begin(response: DirectResponse): boolean {
    const connection = this.#all.get(response.req.socket);
    if (connection === undefined || connection.isClosing) return false;
    connection.previous = connection.newest;
    connection.newest = response;
    return true;
  }

  /** The response to the last request that came whole, of the last two. */
  lastWhole(socket: Socket): DirectResponse | null {
    const { previous = null, newest = null } = this.#all.get(socket) ?? {};
    return newest?.req.complete === true ? newest : previous;
  }

  /** Closes every connection: at once, unless a request that came whole is being answered. */
  close(): void {
    for (const [socket, connection] of this.#all) close(socket, connection);
  }
}

function close(socket: Socket, connection: Connection): void {
  const { newest } = connection;
  if (newest === null || newest.closed || newest.writableFinished) {
    connection.isClosing = true;
    // A client that is still sending need not be waited for.
    if (socket.writableLength === 0) socket.destroy();
    else socket.destroySoon();
    return;
  }
  newest.once('close', () => close(socket, connection));
  if (newest.req.complete) newest.shouldKeepAlive = false;
  else if (newest.headersSent) socket.destroy();
  else refuse(newest);
}

function refuse(response: DirectResponse): void {
  // Express makes an ordinary request of it; the control plane looks whether it is answered.
  if (response.req instanceof DirectRequest) response.req.leave();
  response.statusCode = stopping.status;
  response.setHeader('Content-Type', problemType).setHeader('Connection', 'close');
  response.end(problemBody(stopping));
}
