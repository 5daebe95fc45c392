import type { Socket } from 'node:net';
import { inNextTurn, stopwatch } from '../../sandbox/clock.ts';
import { Pauses } from './pauses.ts';

/** The maximum time for reading and answering in one turn of the event loop, in milliseconds. */
const turnMs = 20;

/**
 * The same in a turn after a connection was accepted: the system accepts one in each turn, and others may wait for
 * that.
 */
const acceptingTurnMs = 2;

/** How many connections are read again in the first turn after a pause. Each next turn that has time doubles it. */
const fewest = 16;

/** Reading for longer than this in one turn is much, in milliseconds. */
const littleMs = 2;

/** What reading from a connection in one turn took. What took little before is read first. */
type Cost = (typeof costs)[number];

const costs = ['little', 'unknown', 'much'] as const;

/** A connection that is accepted in one turn is read in the next one. */
const quietTurns = 3;

/**
 * Limits how much is read in one turn of the event loop. Node reads everything that has arrived on all connections,
 * which can be hundreds of megabytes. When the time is used up, all connections are paused, and read again by turns:
 * what waits then is in the memory of the system and of the clients, not in this process.
 */
export class ReadingTurns {
  readonly #now: () => number;
  readonly #flowing = new Set<Socket>();
  /** Paused connections, by what reading from them took before. Those that were not reached come first. */
  readonly #waiting: Record<Cost, Set<Socket>> = { little: new Set(), unknown: new Set(), much: new Set() };
  /** What the last reading from each connection took. */
  readonly #costs = new WeakMap<Socket, Cost>();
  /** Until when each connection is or was paused for another reason; Infinity while it is. */
  readonly #held = new WeakMap<Socket, number>();
  /** How long reading from connections, and what followed at once, has taken in this turn, in milliseconds. */
  readonly #usedMs = new Map<Socket, number>();
  #reader: Socket | null = null;
  #readAt = 0;
  #batch = fewest;
  #isOpen = false;
  #isAccepting = false;
  #endsAt = 0;
  #isBlocked = false;
  #isQuiet = false;
  readonly #pauses = new Pauses();

  /** `now` measures time in milliseconds. */
  constructor(now = stopwatch) {
    this.#now = now;
  }

  /** Begins with a new connection. */
  watch(socket: Socket): void {
    this.#isQuiet = false;
    this.#isAccepting = true;
    this.#flowing.add(socket);
    socket.on('resume', () => this.#stayPaused(socket));
    socket.once('close', () => {
      for (const sockets of [this.#flowing, ...costs.map((cost) => this.#waiting[cost]), this.#usedMs])
        sockets.delete(socket);
      if (this.#reader === socket) this.#reader = null;
    });
    if (this.#isBlocked) this.#pauseAll();
  }

  /** Must be called when something was read from a connection. */
  read(socket: Socket): void {
    const now = this.#now();
    if (!this.#isOpen) this.#open(now);
    this.#isQuiet = false;
    this.#charge(now);
    this.#reader = socket;
    if (!this.#usedMs.has(socket)) this.#usedMs.set(socket, 0);
    // Before anything else is read.
    queueMicrotask(this.#endReading);
    if (now >= this.#endsAt || this.#isBlocked) this.#pauseAll();
  }

  /** Whether the time of this turn is used up. */
  isOver(): boolean {
    const now = this.#now();
    if (!this.#isOpen) this.#open(now);
    return now >= this.#endsAt;
  }

  /** Pauses all connections until `unblock`, because calls that were read wait. */
  block(): void {
    this.#isBlocked = true;
    this.#pauseAll();
  }

  unblock(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    if (!this.#isOpen && this.#isAnyPaused) this.#open(this.#now());
  }

  /**
   * Returns how long clients may take for what they may take `ms` milliseconds for: longer if reading was paused
   * lately, because what they sent then was not read. At most twice as long, however busy the server is.
   */
  withPauses(ms: number): number {
    return ms + Math.min(ms, this.#pauses.total(this.#now()));
  }

  /** Pauses one connection, for a reason of its own, until `letGo`. */
  hold(socket: Socket): void {
    this.#held.set(socket, Infinity);
    socket.pause();
  }

  letGo(socket: Socket): void {
    if (!this.#isHeld(socket)) return;
    this.#held.set(socket, this.#now());
    if (!this.#isPaused(socket)) socket.resume();
  }

  /** Returns until when a connection was held; Infinity if it is, and -Infinity if it never was. */
  heldUntil(socket: Socket): number {
    return this.#held.get(socket) ?? -Infinity;
  }

  /**
   * Resolves when a turn has passed in which no connection was opened and nothing was read, or after some
   * milliseconds: the system accepts one connection in each turn.
   */
  async quiet(maxMs: number): Promise<void> {
    const endsAt = this.#now() + maxMs;
    do {
      this.#isQuiet = true;
      for (let turn = 0; turn < quietTurns; turn += 1)
        await new Promise<void>((done) => void inNextTurn(done));
    } while ((!this.#isQuiet || this.#isBlocked || this.#isAnyPaused) && this.#now() < endsAt);
  }

  /** Pauses a connection again that Node has resumed, as it does after each complete request. */
  #stayPaused(socket: Socket): void {
    if (!this.#isHeld(socket) && !this.#isPaused(socket)) return;
    if (!socket.isPaused()) socket.pause();
    // Paused between the call of `resume` and its event, at which Node starts to read: only another event stops that.
    else socket.emit('pause');
  }

  #isHeld(socket: Socket): boolean {
    return this.heldUntil(socket) === Infinity;
  }

  #isPaused(socket: Socket): boolean {
    return costs.some((cost) => this.#waiting[cost].has(socket));
  }

  get #isAnyPaused(): boolean {
    return costs.some((cost) => this.#waiting[cost].size > 0);
  }

  /** Returns what reading from a connection has taken in this turn, or took in its last one. */
  #costOf(socket: Socket): Cost {
    const usedMs = this.#usedMs.get(socket);
    if (usedMs === undefined) return this.#costs.get(socket) ?? 'unknown';
    return usedMs > littleMs ? 'much' : 'little';
  }

  /** Counts the time since the last reading for the connection of that. */
  #charge(now: number): void {
    if (this.#reader !== null)
      this.#usedMs.set(this.#reader, (this.#usedMs.get(this.#reader) ?? 0) + now - this.#readAt);
    this.#readAt = now;
  }

  readonly #endReading = (): void => {
    this.#charge(this.#now());
    this.#reader = null;
  };

  #open(now: number): void {
    this.#isOpen = true;
    this.#reader = null;
    this.#readAt = now;
    this.#endsAt = now + (this.#isAccepting ? acceptingTurnMs : turnMs);
    this.#isAccepting = false;
    inNextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isOpen = false;
    for (const socket of this.#usedMs.keys()) this.#costs.set(socket, this.#costOf(socket));
    this.#usedMs.clear();
    if (this.#isBlocked || !this.#isAnyPaused) return;
    this.#open(this.#now());
    let left = this.#batch;
    // Never none of a group, or it would wait as long as others send.
    const least = this.#batch / fewest;
    for (const cost of costs) left -= this.#resumeFirst(this.#waiting[cost], Math.max(left, least));
    this.#batch *= 2;
    if (!this.#isAnyPaused) this.#pauses.end(this.#now());
  }

  /** Reads again from the first connections of a group. Returns their number. */
  #resumeFirst(group: Set<Socket>, count: number): number {
    let resumed = 0;
    for (const socket of group) {
      if (resumed >= count) break;
      group.delete(socket);
      this.#flowing.add(socket);
      if (!this.#isHeld(socket)) socket.resume();
      resumed += 1;
    }
    return resumed;
  }

  #pauseAll(): void {
    this.#batch = fewest;
    if (!this.#isOpen) this.#open(this.#now());
    if (this.#flowing.size === 0) return;
    this.#pauses.begin(this.#now());
    const missed: Record<Cost, Socket[]> = { little: [], unknown: [], much: [] };
    for (const socket of this.#flowing) {
      const cost = this.#costOf(socket);
      if (this.#usedMs.has(socket)) this.#waiting[cost].add(socket);
      else missed[cost].push(socket);
      socket.pause();
    }
    this.#flowing.clear();
    for (const cost of costs)
      if (missed[cost].length > 0) this.#waiting[cost] = new Set([...missed[cost], ...this.#waiting[cost]]);
  }
}
