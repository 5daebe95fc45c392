import type { Socket } from 'node:net';
import type { Held, Reply } from '../../answer/call.ts';
import type { UnreadReplies } from './unread-replies.ts';
import { isGone, whenGone } from './when-gone.ts';
import { unreadMs, type DateText, type DirectResponse } from './direct-response.ts';

/** How a server sends replies. */
export interface Sending {
  readonly date: DateText;
  readonly unread: UnreadReplies;
  readonly isStopping: () => boolean;
  /** Whether the rest of the request is not read, so that the connection has no further one. */
  readonly isCutOff: boolean;
  /** Responds to a request that failed because of a bug. */
  readonly failed: (error: unknown, response: DirectResponse) => void;
}

/** Returns whether to close the connection after this reply. */
function isLast({ isStopping, isCutOff }: Sending): boolean {
  return isCutOff || isStopping();
}

/** Sends a reply: as a whole, unless a fault changes its delivery. */
export function send(answered: Reply | Held, response: DirectResponse, sending: Sending): void {
  if ('resume' in answered) return holdUp(answered, response, sending);
  const { faultyDelivery, release, delivered } = answered;
  if (release !== undefined) {
    whenGone(response, release);
    response.setTimeout(unreadMs);
  }
  // The call was canceled because its client disconnected.
  if (faultyDelivery === undefined && answered.status === 0) return void response.destroy();
  if (faultyDelivery !== undefined)
    return sendFaulty(answered, { ...faultyDelivery, isOver: false }, response, sending);
  const isLeft = isGone(response);
  response.sendWhole(answered, sending.date, isLast(sending));
  if (release !== undefined) whenGone(response, () => delivered?.(!response.writableFinished));
  else {
    delivered?.(isLeft);
    sending.unread.watch(response.req.socket);
  }
}

/** How a fault delivers a reply. */
interface FaultyDelivery extends NonNullable<Reply['faultyDelivery']> {
  /** Whether the client has received everything that it should. */
  isOver: boolean;
}

function sendFaulty(reply: Reply, faulty: FaultyDelivery, response: DirectResponse, sending: Sending): void {
  whenGone(response, () => {
    faulty.finish();
    reply.delivered?.(!faulty.isOver && !response.writableFinished);
  });
  whenItsTurn(response, (socket) => deliver(reply, faulty, response, socket, sending));
}

function holdUp({ wait, resume, abandon }: Held, response: DirectResponse, sending: Sending): void {
  const { socket } = response.req;
  // One listener for each pipelined request.
  socket.setMaxListeners(0);
  // A wait may be over at once, and a socket that closes still calls a listener that another one has removed.
  let isOver = false;
  const giveUp = (): void => {
    if (isOver) return;
    isOver = true;
    waiting.cancel();
    abandon?.();
  };
  const waiting = wait(() => {
    if (isOver) return;
    isOver = true;
    socket.off('close', giveUp);
    try {
      send(resume(), response, sending);
    } catch (error) {
      sending.failed(error, response);
    }
  });
  // If the client has already disconnected, there is no further close event.
  if (abandon === null || isOver) return;
  if (socket.destroyed) giveUp();
  else socket.once('close', giveUp);
}

/** A client may pipeline requests; the connection belongs to one reply at a time. */
function whenItsTurn(response: DirectResponse, act: (socket: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

function deliver(
  reply: Reply,
  faulty: FaultyDelivery,
  response: DirectResponse,
  socket: Socket,
  sending: Sending,
): void {
  const { body } = reply;
  const { delivery, wait } = faulty;
  switch (delivery.kind) {
    case 'nothing':
      hangUpSoon(socket, delivery.ending, faulty);
      break;
    case 'silence': {
      const waiting = wait(delivery.milliseconds, () => {
        faulty.isOver = true;
        socket.destroy();
      });
      socket.once('close', () => waiting.cancel());
      break;
    }
    case 'raw':
      faulty.isOver = true;
      socket.write(body, 'latin1');
      hangUp(socket, 'close');
      break;
    case 'body':
      sendBody(reply, delivery, faulty, response, { socket, sending });
      break;
  }
}

/** How much of a slow body is sent at once while the server stops. */
const hurriedBytes = 16_384;

type BodyDelivery = Extract<FaultyDelivery['delivery'], { kind: 'body' }>;

function sendBody(
  reply: Reply,
  { cutOff, drip }: BodyDelivery,
  faulty: FaultyDelivery,
  response: DirectResponse,
  { socket, sending }: { readonly socket: Socket; readonly sending: Sending },
): void {
  const { body } = reply;
  const { wait } = faulty;
  const bytes = drip?.bytes ?? body.length;
  const finish = (): void => {
    // A client that does not read must not keep its sandbox in use.
    response.setTimeout(unreadMs);
    if (cutOff !== undefined) hangUpSoon(socket, cutOff.ending, faulty);
    // The server may have started to stop since the headers were sent.
    else response.end(() => isLast(sending) && hangUp(socket, 'close'));
  };
  const send = (from: number): void => {
    if (socket.destroyed) return;
    // While the server stops, the waits are over at once. Each byte must not take one, or others would be held up.
    const to = from + (sending.isStopping() ? Math.max(bytes, hurriedBytes) : bytes);
    if (from < body.length) response.write(body.slice(from, to), 'latin1');
    if (drip === undefined || to >= body.length) finish();
    else wait(drip.everyMs, () => send(to));
  };
  // A later fault may have replaced the body by a longer one, of which a part is missing, too.
  const declared = cutOff === undefined ? body.length : Math.max(cutOff.declaredBytes, body.length + 1);
  writeHead(reply, declared, response, sending);
  send(0);
}

const momentMs = 20;

function writeHead(
  { status, headers, at }: Reply,
  length: number,
  response: DirectResponse,
  sending: Sending,
): void {
  const last = isLast(sending) || !response.req.mayKeepConnection();
  const ending = ['Connection', last ? 'close' : 'keep-alive'];
  response.writeHead(status, [
    ...headers,
    'Date',
    sending.date.of(at),
    'Content-Length',
    String(length),
    ...ending,
  ]);
  response.flushHeaders();
}

/** The delay before a reset, which would otherwise overtake the data sent before it. */
function hangUpSoon(socket: Socket, ending: 'close' | 'reset', faulty: FaultyDelivery): void {
  const { wait } = faulty;
  faulty.isOver = true;
  if (ending === 'reset' && socket.bytesWritten > 0) wait(momentMs, () => hangUp(socket, ending));
  else hangUp(socket, ending);
}

function hangUp(socket: Socket, how: 'close' | 'reset'): void {
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
}
