import type { Socket } from 'node:net';
import { weightOfHeaders } from '../../base/weight.ts';
import { inNextTurn, stopwatch } from '../../sandbox/clock.ts';
import type { InFlight } from '../../sandbox/in-flight.ts';
import type { Slices } from '../../sandbox/slices.ts';
import type { DirectRequest } from './direct-request.ts';
import type { DirectResponse } from './direct-response.ts';
import type { ReadingTurns } from './reading-turns.ts';
import { hasLeft, isOver } from './when-gone.ts';

/** The memory of a waiting call in addition to its headers and its body, in bytes. */
const callBytes = 4096;

/**
 * A connection is not read while its waiting calls take up more than this, in bytes. Nobody notices then that its
 * client has left, so it is more than most clients send without waiting.
 */
const maxWaitingBytes = 1_048_576;

/**
 * The next call of a connection waits until its client has read the previous replies, except for this many
 * bytes.
 */
const maxUnreadBytes = 65_536;

/** A call that waits for its turn. */
interface Waiting {
  readonly bytes: number;
  /** The response before its own; null if there is none to wait for. */
  readonly previous: DirectResponse | null;
  readonly begin: () => void;
}

/** The waiting calls of one connection, in order. */
interface Line {
  readonly socket: Socket;
  readonly waiting: Set<Waiting>;
  readonly end: () => void;
  bytes: number;
  /** Whether the first call waits for its client or for the response before it, and not for the server. */
  isBlocked: boolean;
  /** Whether its client has left, so that each call begins only to be journaled. */
  isLeft: boolean;
}

/**
 * The calls of clients that send the next one before the response to the last. Those of one connection are
 * processed one after the other, so that replies never pile up behind one that takes long or is not read. And
 * hundreds of calls can arrive in one piece: the connections take turns, so that they do not hold up all
 * other clients.
 */
export class PipelinedCalls {
  readonly #memory: InFlight;
  readonly #slices: Slices;
  readonly #reading: ReadingTurns;
  readonly #lines = new Map<Socket, Line>();
  /** Those whose first call waits only for the server. */
  readonly #ready = new Set<Line>();
  #isOpen = false;
  #endsAt = 0;

  /** `memory` counts the waiting calls; a client for which there is no room is disconnected. */
  constructor(memory: InFlight, slices: Slices, reading: ReadingTurns) {
    this.#memory = memory;
    this.#slices = slices;
    this.#reading = reading;
  }

  /**
   * Calls back at once, or when it is the turn of the call, or when its client has left. Never calls back if the server
   * ends the connection before.
   */
  take(request: DirectRequest, bodyChars: number, begin: () => void): void {
    const { socket, previous } = request;
    request.previous = null;
    // It would have no reply: a previous one has ended the connection.
    if (!socket.writable) return;
    const line = this.#lines.get(socket);
    if (line === undefined && previous === null) return begin();
    if (line === undefined && mayFollow(previous, socket) && this.#hasTime()) return begin();
    const bytes = waitingBytes(request, bodyChars);
    if (!this.#memory.take(bytes)) return void socket.destroy();
    const own = line ?? this.#newLine(socket);
    own.waiting.add({ bytes, previous, begin });
    own.bytes += bytes;
    if (line === undefined) this.#queue(own);
    this.#regulate(own);
  }

  #newLine(socket: Socket): Line {
    const line: Line = {
      socket,
      waiting: new Set(),
      end: () => this.#endEarly(line),
      bytes: 0,
      isBlocked: false,
      isLeft: false,
    };
    this.#lines.set(socket, line);
    socket.once('close', line.end);
    return line;
  }

  /** Processes the first call of a line in one of the next turns, after what it must wait for. */
  #queue(line: Line): void {
    const [first] = line.waiting;
    if (first === undefined) return;
    const { socket } = line;
    const goOn = (): void => {
      if (!this.#lines.has(socket)) return;
      // Only the connection is closed, or the response before it has ended it.
      if (!socket.writable) return this.#endEarly(line);
      this.#queue(line);
      // Not in the next turn: a client that has read the reply to the call before this one may rely on its effect.
      if (!line.isBlocked && this.#hasTime()) this.#beginFirst(line);
      else this.#regulate(line);
    };
    line.isBlocked = !line.isLeft && !mayFollow(first.previous, socket);
    if (!line.isBlocked) {
      this.#ready.add(line);
      if (!this.#isOpen) this.#open();
    } else if (first.previous !== null && !isOver(first.previous)) first.previous.once('close', goOn);
    else socket.once('drain', goOn);
  }

  #hasTime(): boolean {
    if (!this.#isOpen) this.#open();
    return stopwatch() < this.#endsAt;
  }

  #open(): void {
    this.#isOpen = true;
    this.#endsAt = stopwatch() + this.#slices.turnMs;
    inNextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isOpen = false;
    if (this.#ready.size === 0) return;
    this.#open();
    // A connection whose call was processed goes to the end.
    for (const line of this.#ready) {
      if (!this.#hasTime()) return;
      this.#beginFirst(line);
    }
  }

  #beginFirst(line: Line): void {
    const [first] = line.waiting;
    if (first === undefined) return;
    if (!line.socket.writable && !line.isLeft) return this.#endEarly(line);
    this.#ready.delete(line);
    this.#remove(line, first);
    first.begin();
    if (line.waiting.size > 0) this.#queue(line);
    else this.#end(line);
    this.#regulate(line);
  }

  #remove(line: Line, one: Waiting): void {
    line.waiting.delete(one);
    line.bytes -= one.bytes;
    this.#memory.give(one.bytes);
  }

  /** Reads on only if the client cannot fill the memory. If it is not read, nobody notices that it has left. */
  #regulate({ socket, waiting, bytes, isBlocked }: Line): void {
    if (waiting.size > 0 && (!isBlocked || bytes > maxWaitingBytes)) this.#reading.hold(socket);
    else this.#reading.letGo(socket);
  }

  #end(line: Line): void {
    this.#lines.delete(line.socket);
    this.#ready.delete(line);
    line.socket.off('close', line.end);
  }

  /** The calls of a client that has left begin by turns, like others; those behind the last reply do not. */
  #endEarly(line: Line): void {
    if (line.isLeft) return;
    line.isLeft = hasLeft(line.socket);
    if (line.isLeft) this.#queue(line);
    else this.#drop(line);
  }

  #drop(line: Line): void {
    for (const one of line.waiting) this.#remove(line, one);
    this.#end(line);
    this.#regulate(line);
  }
}

function mayFollow(previous: DirectResponse | null, socket: Socket): boolean {
  return (previous === null || isOver(previous)) && socket.writableLength <= maxUnreadBytes;
}

/** Returns the memory of a call that waits before it is processed, in bytes. */
export function waitingBytes({ rawHeaders }: DirectRequest, bodyChars: number): number {
  return callBytes + weightOfHeaders(rawHeaders) + 2 * bodyChars;
}
