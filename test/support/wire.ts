import { request } from 'node:http';
import { connect } from 'node:net';
import supertest from 'supertest';
import { onTestFinished, vi } from 'vitest';
import type { NewSandbox, SandboxHandle } from '../../src/index.ts';
import { coupon, quiz } from './demo.ts';
import { world } from './world.ts';

/** A connection as a client sees it, byte by byte. It is gone after the test. */
export interface Wire {
  /** The port of the client. */
  readonly port: number;
  send(text: string): void;
  /** What has come so far, a character for each byte. */
  heard(): string;
  /** Waits until what has come is enough. Rejects where the connection ends before. */
  hear(enough: (heard: string) => boolean): Promise<string>;
  /**
   * How the connection ends: `in order` where the server closes it, `by the client`, or the code of the error
   * that breaks it.
   */
  readonly ended: Promise<string>;
  hangUp(): void;
}

export async function openWire({ baseUrl }: Pick<SandboxHandle, 'baseUrl'>): Promise<Wire> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  let ending = 'by the client';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  socket
    .on('end', () => (ending = 'in order'))
    .on('error', (error: NodeJS.ErrnoException) => (ending = error.code ?? error.message));
  const ended = new Promise<string>((done) => {
    socket.once('close', () => done(ending));
  });
  const hear = (enough: (heard: string) => boolean): Promise<string> =>
    new Promise((done, fail) => {
      const look = (): void => {
        if (!enough(heard)) return;
        socket.off('data', look).off('close', giveUp);
        done(heard);
      };
      const giveUp = (): void => fail(new Error(`The connection ended ${ending} after: ${heard}`));
      socket.on('data', look).once('close', giveUp);
      look();
    });
  await new Promise<void>((done) => {
    socket.once('connect', done);
  });
  const { localPort: port = 0 } = socket;
  return {
    port,
    send: (text) => void socket.write(text, 'utf8'),
    heard: () => heard,
    hear,
    ended,
    hangUp: () => void socket.destroy(),
  };
}

/** What a call consists of. */
export interface WireCall {
  readonly operation: string;
  readonly elements: readonly object[];
  /** The header Sandbox-Fault. */
  readonly fault?: string;
}

/** A call of Riverside, as it goes over a connection. */
export function callText(sandbox: SandboxHandle, { operation, elements, fault }: WireCall): string {
  const body = JSON.stringify({ data: elements.map((data) => ({ data })) });
  const head = [
    `POST /public/${operation} HTTP/1.1`,
    'Host: sandbox.example',
    `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(fault === undefined ? [] : [`Sandbox-Fault: ${fault}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A call that reads. */
export const aQuiz: WireCall = { operation: 'get-quiz-details', elements: [{ quizId: quiz.id }] };

/** A call that writes. */
export function newTerms(description: string): WireCall {
  const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
  return { operation: 'update-digital-product-coupon', elements: [{ ...names, description }] };
}

/** A sandbox of its own, with a connection to it. */
export interface Place {
  readonly sandbox: SandboxHandle;
  readonly wire: Wire;
  /** Sends calls one behind the other, without waiting for replies. */
  send(...calls: readonly WireCall[]): void;
  /** The description that the coupon of `newTerms` has now. */
  terms(): Promise<unknown>;
}

export async function openPlace(request: NewSandbox = {}): Promise<Place> {
  const { sandbox } = await world(request);
  const wire = await openWire(sandbox);
  return {
    sandbox,
    wire,
    send: (...calls) => wire.send(calls.map((call) => callText(sandbox, call)).join('')),
    terms: async () => (await sandbox.state.get('coupons', coupon.id))?.description,
  };
}

/** A clock that stands until a test moves it. */
export const frozen: NewSandbox = { clock: { mode: 'frozen', now: '2026-03-02T10:00:00.000Z' } };

/** A reply as it came. */
export interface WireReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The replies that came whole, and what came behind them. */
export function repliesIn(heard: string): { readonly whole: readonly WireReply[]; readonly rest: string } {
  const whole: WireReply[] = [];
  for (let rest = heard; ;) {
    const { status, headers, body } = headOf(rest);
    const length = Number(headers['content-length']);
    // Not so of a length that is not there, either.
    if (!(body.length >= length)) return { whole, rest };
    whole.push({ status, headers, text: Buffer.from(body.slice(0, length), 'latin1').toString('utf8') });
    rest = body.slice(length);
  }
}

/** The first reply's status and headers, and all that follows them. */
export function headOf(heard: string): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const end = heard.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, body: '' };
  const [first = '', ...lines] = heard.slice(0, end).split('\r\n');
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
  );
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: heard.slice(end + 4),
  };
}

/**
 * Sends a call like any other client, but holds the reply against nothing: for faults that break the contract
 * on purpose.
 */
export async function fetchCall(
  sandbox: SandboxHandle,
  { operation, elements, fault }: WireCall,
): Promise<WireReply> {
  const reply = await fetch(`${sandbox.baseUrl}/public/${operation}`, {
    method: 'POST',
    headers: {
      'SERVICE-API-KEY': sandbox.apiKey('riverside'),
      'Content-Type': 'application/json',
      ...(fault === undefined ? {} : { 'Sandbox-Fault': fault }),
    },
    body: JSON.stringify({ data: elements.map((data) => ({ data })) }),
  });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() };
}

/** What goes wrong in the HTTP client of Node, from the call to the end of its reply. */
export function nodeFailure(sandbox: SandboxHandle, fault: string): Promise<string> {
  const { port } = new URL(sandbox.baseUrl);
  const headers = {
    'SERVICE-API-KEY': sandbox.apiKey('riverside'),
    'Content-Type': 'application/json',
    'Sandbox-Fault': fault,
  };
  return new Promise((done) => {
    const fail = (error: NodeJS.ErrnoException): void => done(`${error.code}: ${error.message}`);
    request(
      { port, host: '127.0.0.1', method: 'POST', path: '/public/get-quiz-details', headers, agent: false },
      (reply) => {
        reply
          .on('error', fail)
          .on('end', () => done('nothing'))
          .resume();
      },
    )
      .on('error', fail)
      .end(JSON.stringify({ data: aQuiz.elements.map((data) => ({ data })) }));
  });
}

/**
 * By the time somebody else has been answered, what was sent before has arrived, on either side. That a
 * connection ended may take longer.
 */
export async function settled({ baseUrl }: SandboxHandle): Promise<void> {
  await supertest(baseUrl).get('/healthz').expect(200);
}

/**
 * The lengths of the timers that are set from here until `stop`, or to the end of the test, and of those that
 * were neither cleared nor over. Not by vi.spyOn: at the end of the file it restores what it found, and where
 * that were stopped timers, time stands still for every later file of the thread.
 */
export function watchTimers(): {
  readonly lengths: readonly number[];
  pending(): readonly number[];
  stop(): void;
} {
  const lengths: number[] = [];
  const pending = new Map<unknown, number>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const watching = (callback: () => void, length = 0): NodeJS.Timeout => {
    lengths.push(length);
    const timer = start(() => {
      pending.delete(timer);
      callback();
    }, length);
    pending.set(timer, length);
    return timer;
  };
  const clearing = (timer?: NodeJS.Timeout | string | number): void => {
    pending.delete(timer);
    clear(timer);
  };
  const stop = (): void => {
    if (globalThis.setTimeout === watched) globalThis.setTimeout = start;
    if (globalThis.clearTimeout === clearing) globalThis.clearTimeout = clear;
  };
  const watched = Object.assign(watching, start);
  globalThis.setTimeout = watched;
  globalThis.clearTimeout = clearing;
  onTestFinished(stop);
  return { lengths, pending: () => [...pending.values()], stop };
}

/** From here to the end of the test no real time passes: only moving the clock ends a wait. */
export function stopRealTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
