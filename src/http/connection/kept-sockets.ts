import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { after, stopwatch } from '../../sandbox/clock.ts';

/** The maximum time that a connection stays idle, in milliseconds. Few services close theirs sooner. */
const maxIdleMs = 4000;

/** How long the first connection is watched: twice the time that others may then stay idle. */
const watchedMs = 2000;

/** Below this idle time, a connection might be closed while a call is on its way. */
const minIdleMs = 100;

/**
 * Decides how long connections to an upstream may stay idle, so that no call is sent on one that the upstream is just
 * closing: such a call fails, and may not be sent again. If the upstream announces its limit (Keep-Alive: timeout),
 * half of it is used. Otherwise, the first connection is only watched, and further ones may stay idle for half the
 * time that it stayed open.
 */
export class KeptSockets {
  #idleMs = 0;
  #isWatching = false;
  #isWatched = false;
  readonly #agent: Agent;
  /** Since when a connection is idle, and for how long it may be. Null while it is in use. */
  readonly #idle = new WeakMap<Socket, { readonly since: number; readonly ms: number } | null>();

  constructor(agent: Agent) {
    this.#agent = agent;
    const reuse = agent.reuseSocket.bind(agent);
    // Node's agents call these methods with their sockets; their own method would keep every connection.
    agent.keepSocketAlive = (socket: IdleSocket) => this.#keep(socket);
    agent.reuseSocket = (socket: IdleSocket, request) => {
      this.#use(socket);
      reuse(socket, request);
    };
  }

  /** Called if a call on a kept connection failed because the upstream closed it. */
  distrust(): void {
    this.#isWatched = true;
    this.#idleMs = 0;
  }

  #keep(socket: IdleSocket): boolean {
    const announced = announcedMs(socket);
    if (announced === null && !this.#isWatched) return this.#watch(socket);
    const idleMs = announced === null ? this.#idleMs : Math.min(announced / 2, this.#limitMs());
    if (idleMs < minIdleMs) return false;
    socket.setKeepAlive(true, 1000);
    socket.unref();
    // The agent closes an idle connection that times out.
    socket.setTimeout(idleMs);
    if (!this.#idle.has(socket)) socket.once('close', () => this.#noticeClose(socket));
    this.#idle.set(socket, { since: stopwatch(), ms: idleMs });
    // What an upstream sends without a request must not be taken for the next response.
    socket.on('data', destroyThis);
    return true;
  }

  /** The maximum idle time, which is shorter once the upstream has closed a connection sooner. */
  #limitMs(): number {
    return this.#isWatched ? this.#idleMs : maxIdleMs;
  }

  #use(socket: IdleSocket): void {
    this.#idle.set(socket, null);
    socket.off('data', destroyThis);
    socket.setTimeout(0);
  }

  #noticeClose(socket: IdleSocket): void {
    const idle = this.#idle.get(socket) ?? null;
    if (idle === null) return;
    const openMs = stopwatch() - idle.since;
    // Otherwise, the agent closed it.
    if (openMs < idle.ms) this.#learn(openMs);
  }

  #learn(openMs: number): void {
    const idleMs = Math.min(this.#limitMs(), openMs / 2);
    this.#idleMs = idleMs < minIdleMs ? 0 : idleMs;
    this.#isWatched = true;
  }

  /** Takes the first connection out of use, to see how long the upstream leaves it open. */
  #watch(socket: IdleSocket): boolean {
    if (this.#isWatching) return false;
    this.#isWatching = true;
    const since = stopwatch();
    const { cancel } = after(watchedMs, () => socket.destroy());
    socket.unref();
    socket.on('data', destroyThis);
    socket.once('close', () => {
      cancel();
      if (!this.#isWatched) this.#learn(Math.min(watchedMs, stopwatch() - since));
    });
    // Now, the agent adds it to the connections that it reuses.
    queueMicrotask(() => withdraw(socket, this.#agent));
    return true;
  }
}

/** Node notes the last request on the socket, and with it the response. */
interface IdleSocket extends Socket {
  readonly _httpMessage?: { readonly res?: { readonly headers: { readonly 'keep-alive'?: string } } | null };
}

/** Returns how long the upstream keeps the connection, in milliseconds. Null if it does not say. */
function announcedMs({ _httpMessage: request }: IdleSocket): number | null {
  const hint = /(?:^|[\s,;])timeout\s*=\s*"?(\d+)/i.exec(request?.res?.headers['keep-alive'] ?? '');
  return hint?.[1] === undefined ? null : 1000 * Number(hint[1]);
}

function withdraw(socket: Socket, { freeSockets }: Agent): void {
  for (const free of Object.values(freeSockets)) {
    const place = free?.indexOf(socket) ?? -1;
    if (place >= 0) free?.splice(place, 1);
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}
