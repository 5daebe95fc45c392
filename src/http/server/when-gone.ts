import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns whether nobody can receive the response any more. An earlier response of the connection may have ended it
 * before the client has closed it.
 */
export function isGone({ destroyed, req }: ServerResponse): boolean {
  return destroyed || !req.socket.writable;
}

/**
 * Returns whether the client has ended a connection that is closed or closing, and not the server. Must be called as
 * soon as the connection cannot be written to.
 */
export function hasLeft({ readableEnded, errored }: Socket): boolean {
  return readableEnded || errored !== null;
}

/**
 * Returns whether a response has been sent, and has ended its connection if it is the last one. Node does that when the
 * response lets go of its socket, which may be after its last byte. A function, because express replaces the
 * prototype of a response.
 */
export function isOver({ closed, writableFinished, socket }: ServerResponse): boolean {
  return closed || (writableFinished && socket === null);
}

/**
 * Calls back once, when a response has been sent or its connection has closed. A response that waits behind
 * others on its connection has no event of its own when the connection closes.
 */
export function whenGone(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req;
  let isOver = false;
  const finish = (): void => {
    // The same end can cause both events.
    if (isOver) return;
    isOver = true;
    response.off('close', finish);
    socket.off('close', finish);
    callback();
  };
  if (response.closed || socket.destroyed) return callback();
  response.once('close', finish);
  // A client may pipeline any number of requests.
  socket.setMaxListeners(0).once('close', finish);
}
