import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Held, Reply } from '../../src/answer/call.ts';
import { send, type Sending } from '../../src/http/server/deliver.ts';
import type { DirectResponse } from '../../src/http/server/direct-response.ts';

const canceled: Reply = { status: 0, headers: [], body: '' as Reply['body'], at: 0 };

/** Sends the reply to a call that is held, and returns its socket and what happened to it. */
function hold(wait: Held['wait']) {
  const happened: string[] = [];
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  // Cast: `send` uses no more of it here.
  const response = { req: { socket }, destroy: () => happened.push('sent') } as unknown as DirectResponse;
  const resume = (): Reply => {
    happened.push('resumed');
    return canceled;
  };
  send({ wait, resume, abandon: () => happened.push('abandoned') }, response, {} as Sending);
  return { socket, happened };
}

/** A wait that does not end before it is over, and that nothing cancels. */
function endOf(time: EventEmitter): Held['wait'] {
  return (callback) => {
    time.once('over', callback);
    return { cancel: () => {} };
  };
}

describe('a call that is held', () => {
  it('is not abandoned after its reply, although its wait was over at once', () => {
    const { socket, happened } = hold((callback) => {
      callback();
      return { cancel: () => {} };
    });
    socket.emit('close');
    expect(happened).toEqual(['resumed', 'sent']);
  });

  it('is not abandoned if something else that ends with its connection ends its wait', () => {
    const time = new EventEmitter();
    const { socket, happened } = hold(endOf(time));
    socket.prependListener('close', () => time.emit('over'));
    socket.emit('close');
    expect(happened).toEqual(['resumed', 'sent']);
  });

  it('is abandoned once if its client leaves, and does not resume', () => {
    const time = new EventEmitter();
    const { socket, happened } = hold(endOf(time));
    socket.emit('close');
    time.emit('over');
    expect(happened).toEqual(['abandoned']);
  });
});
