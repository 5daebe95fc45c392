import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problemBody, problemType, type Problem } from '../../base/problem.ts';
import { after } from '../../sandbox/clock.ts';
import type { Slices } from '../../sandbox/slices.ts';
import type { Connections } from './connections.ts';
import type { DirectRequest } from './direct-request.ts';
import { closeSoon } from './linger.ts';
import { parserProblem } from './parser-problem.ts';
import { slowest, type SendingTimes } from './sending-times.ts';
import {
  unparsedRequest,
  type ParserError,
  type RequestHead,
  type UnparsedRequest,
} from './unparsed-request.ts';

/** Journals requests that no handler gets as a whole. */
export interface RequestNotes {
  /** One that is not valid HTTP or arrives too slowly, and the reply to it. */
  readonly refused: (request: RequestHead, reply: Problem) => void;
  /** One whose client has gone within its body. */
  readonly left: (request: DirectRequest) => void;
}

interface Means {
  readonly connections: Connections;
  readonly times: SendingTimes;
  readonly slices: Slices;
  readonly notes: RequestNotes | null;
}

/** What the server does with clients that send no valid request. */
export class InvalidClients {
  readonly #means: Means;
  readonly #refused = new WeakSet<Socket>();
  /** Those that are refused after the replies to earlier requests. */
  readonly #pending = new WeakSet<Socket>();

  constructor(means: Means) {
    this.#means = means;
  }

  /** Notes if the client of a new connection goes within a request. Must be called before the connection is opened. */
  watch(socket: Socket): void {
    const { connections, notes } = this.#means;
    socket.once('close', (isReset) => {
      const isLeft = (isReset || this.#pending.has(socket)) && !this.#refused.has(socket);
      const request = isLeft ? connections.unanswered(socket) : null;
      if (request !== null) notes?.left(request);
    });
  }

  /** Refuses what the parser refused, and requests that arrive too slowly. */
  refuse(error: ParserError, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (this.#isRefused(socket)) return;
    const unparsed = unparsedRequest(error);
    const problem = parserProblem(error, unparsed);
    if (problem.status === 408) return this.#refuseLate(problem, socket);
    // The client has ended the connection within a request, and may have gone.
    if (error.code === 'HPE_INVALID_EOF_STATE') closeSoon(socket);
    this.#pending.add(socket);
    const { connections } = this.#means;
    afterReplies(connections, socket, () => {
      this.#refused.add(socket);
      refuseFor(problem, unparsed, socket, this.#means);
    });
  }

  #isRefused(socket: Socket): boolean {
    return this.#refused.has(socket) || this.#pending.has(socket);
  }

  /**
   * Refuses a late request after the replies to those before it, unless it has arrived then: it would take effect.
   * It also is not late before its client has had the time to send it. Looks after `wait` milliseconds.
   */
  #refuseLate(problem: Problem, socket: Socket, wait = this.#timeLeft(socket)): void {
    const { connections, slices } = this.#means;
    const request = connections.incomplete(socket);
    const newest = connections.newest(socket);
    const ifStillLate = (act: () => void): void => {
      if (this.#isRefused(socket)) return;
      const incomplete = connections.incomplete(socket);
      if (connections.newest(socket) === newest && incomplete === request) act();
      // Node says once of a request that it is late: if that was because of its headers, not again of its body.
      else if (incomplete !== null) this.#refuseLate(problem, socket, slowest.requestTimeout);
    };
    if (wait > 0) {
      const waiting = after(wait, () => {
        socket.off('close', waiting.cancel);
        ifStillLate(() => this.#refuseLate(problem, socket));
      });
      socket.once('close', waiting.cancel);
      return;
    }
    const refuse = (): void => {
      this.#refused.add(socket);
      refuseFor(problem, null, socket, this.#means);
    };
    afterReplies(connections, socket, () => {
      // The time of thousands of requests can be over at the same moment.
      if (slices.isOver()) slices.next(() => ifStillLate(refuse));
      else ifStillLate(refuse);
    });
  }

  #timeLeft(socket: Socket): number {
    return this.#means.times.left(socket, this.#means.connections.incomplete(socket));
  }
}

/** Sends the last reply of a connection, for what is wrong with the request that is next. */
function refuseFor(
  problem: Problem,
  unparsed: UnparsedRequest | null,
  socket: Socket,
  { connections, notes }: Means,
): void {
  // A client that does not close its side would keep the connection forever.
  closeSoon(socket);
  // A reply before this one was the last.
  if (!socket.writable) return;
  const connectionTimes = connections.timesOf(socket);
  const begun = connections.unanswered(socket);
  // It has its response already, and its entry in the journal.
  if (begun === null && problem.status === 408 && connections.incomplete(socket) !== null)
    return void socket.end();
  if (begun !== null) notes?.refused(begun, problem);
  else if (unparsed !== null && connectionTimes !== null)
    notes?.refused({ ...unparsed, socket, connectionTimes }, problem);
  // Invalid data never becomes a request, so the reply is written to the socket directly.
  refuseByHand(problem, socket);
}

/** Calls back when the replies to the complete requests so far have been sent, in order. */
export function afterReplies(connections: Connections, socket: Socket, callback: () => void): void {
  const last = connections.lastWhole(socket);
  if (last === null || last.closed) callback();
  else last.once('close', callback);
}

/** Writes a problem to a connection, as its last reply. */
export function refuseByHand(known: Problem, socket: Duplex): void {
  const body = problemBody(known);
  const head = [
    `HTTP/1.1 ${known.status} ${known.title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
