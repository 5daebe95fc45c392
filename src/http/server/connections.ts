import type { Socket } from 'node:net';
import { after, stopwatch } from '../../sandbox/clock.ts';
import { isCall } from '../../base/request-target.ts';
import type { ConnectionTimes } from '../../sandbox/journal-entry.ts';
import { DirectRequest } from './direct-request.ts';
import type { DirectResponse } from './direct-response.ts';
import type { ReadingTurns } from './reading-turns.ts';
import { ResponseOrder } from './response-order.ts';
import { isOver } from './when-gone.ts';
import { sendLastProblem } from '../send-problem.ts';

/** The last two responses of a connection. */
interface Connection {
  previous: DirectResponse | null;
  newest: DirectResponse | null;
  /** The last response is still being delivered; further requests get no response. */
  isClosing: boolean;
  readonly times: ConnectionTimes;
}

const stopping = {
  status: 503,
  title: 'Server stopping',
  detail:
    'The server stopped before the request was complete, so the request had no effect. Send it again when the server is back.',
};

const stopped = {
  status: 503,
  title: 'Server stopping',
  detail: 'The server stopped before the response was ready. Send the request again when the server is back.',
};

/** How long a last response may take to be sent, in milliseconds. */
const farewellMs = 100;

/** The connections of one server. */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  readonly #reading: ReadingTurns;
  readonly #order = new ResponseOrder();

  constructor(reading: ReadingTurns) {
    this.#reading = reading;
  }

  open(socket: Socket): void {
    const times: ConnectionTimes = { openedMs: stopwatch(), closedMs: null };
    this.#all.set(socket, { previous: null, newest: null, isClosing: false, times });
    this.#reading.watch(socket);
    socket.once('close', () => {
      times.closedMs = stopwatch();
      this.#all.delete(socket);
    });
  }

  /** Registers a new response. Returns false if the request must not be processed. */
  begin(response: DirectResponse): boolean {
    const { socket } = response.req;
    this.#reading.read(socket);
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.isClosing || !socket.writable) return false;
    response.req.reading = this.#reading;
    connection.previous = connection.newest;
    connection.newest = response;
    response.req.connectionTimes = connection.times;
    const { previous } = connection;
    // Otherwise, each request would keep all before it in memory.
    if (previous !== null) previous.req.previous = null;
    response.req.previous = previous === null || previous.closed ? null : previous;
    return true;
  }

  /**
   * Calls back when the responses before this one have been sent: otherwise, a client that reads nothing could
   * have any number of responses built. Disconnects a client with too many requests that wait.
   */
  inTurn(response: DirectResponse, maxWaiting: number, callback: () => void): void {
    const { socket } = response.req;
    this.#order.after(this.#all.get(socket)?.previous ?? null, socket, maxWaiting, callback);
  }

  /** Returns when a connection was opened; null if it is closed. */
  timesOf(socket: Socket): ConnectionTimes | null {
    return this.#all.get(socket)?.times ?? null;
  }

  /** Returns the response to the last request of which the headers have arrived. */
  newest(socket: Socket): DirectResponse | null {
    return this.#all.get(socket)?.newest ?? null;
  }

  /** Returns the response to the last complete request. */
  lastWhole(socket: Socket): DirectResponse | null {
    const { previous = null, newest = null } = this.#all.get(socket) ?? {};
    return newest?.req.complete === true ? newest : previous;
  }

  /** Returns the request of which only a part has arrived, or null. */
  incomplete(socket: Socket): DirectRequest | null {
    const newest = this.#all.get(socket)?.newest;
    return newest?.req.complete === false ? newest.req : null;
  }

  /** Returns the request of which only a part has arrived, if no response has been sent; else null. */
  unanswered(socket: Socket): DirectRequest | null {
    const newest = this.#all.get(socket)?.newest;
    // A response that is sent in one write has no headers.
    if (newest === undefined || newest === null || newest.headersSent || newest.writableEnded) return null;
    return this.incomplete(socket);
  }

  /**
   * Closes every connection now. Clients of the control plane and of pages that wait for a response get a
   * last one; a call gets none, because its effect is unknown.
   */
  giveUp(): void {
    for (const [socket, { newest }] of this.#all) {
      if (newest === null || !isAwaited(newest)) {
        socket.destroy();
        continue;
      }
      sendLastProblem(newest, stopped);
      after(farewellMs, () => socket.destroy());
    }
  }

  /** Closes every connection: at once, or after the response to a complete request. */
  close(): void {
    for (const [socket, connection] of this.#all) close(socket, connection);
  }
}

function isAwaited({ closed, headersSent, socket, req }: DirectResponse): boolean {
  // Only the response whose turn it is has a socket.
  return !closed && !headersSent && socket !== null && !isCall(req.url);
}

function close(socket: Socket, connection: Connection): void {
  const { newest } = connection;
  if (newest === null || isOver(newest)) {
    connection.isClosing = true;
    // Do not wait for a client that is still sending.
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
  // Express then treats it as an ordinary request; the control plane checks whether it has been responded to.
  if (response.req instanceof DirectRequest) response.req.leave();
  sendLastProblem(response, stopping);
}
