import { connect, type Socket } from 'node:net';

/** A response as it arrived. */
export interface Reply {
  readonly status: number;
  /** By lower-case name; several of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What comes next on a connection: a response, or its end. */
export type Arrival = Reply | { readonly ended: string; readonly rest: string };

/** A connection to the server under test. It sends any bytes and reads whole responses. */
export class Connection {
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes that must have arrived before it is worth to look again. */
  #enough = 0;
  #ended: string | null = null;
  #waiting: (() => void) | null = null;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes >= this.#enough) this.#waiting?.();
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => (this.#ended = error.code ?? error.message));
    this.socket.on('end', () => (this.#ended ??= 'closed'));
    this.socket.on('close', () => {
      this.#ended ??= 'closed by us';
      this.#waiting?.();
    });
  }

  get isOpen(): boolean {
    return this.#ended === null && !this.socket.destroyed;
  }

  send(bytes: Buffer | string): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /**
   * Waits for the next response to a request with this method; null if nothing whole arrives within the time.
   */
  async next(method: string, milliseconds: number): Promise<Arrival | null> {
    const until = Date.now() + milliseconds;
    for (;;) {
      const reply = this.#take(method);
      if (reply !== null) return reply;
      if (this.#ended !== null)
        return { ended: this.#ended, rest: Buffer.concat(this.#chunks).toString('latin1', 0, 2000) };
      const left = until - Date.now();
      if (left <= 0 || !(await this.#more(left))) return null;
    }
  }

  destroy(how: 'close' | 'reset' = 'close'): void {
    if (how === 'reset') this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  #more(milliseconds: number): Promise<boolean> {
    return new Promise((done) => {
      const timer = setTimeout(() => finish(false), milliseconds);
      const finish = (arrived: boolean): void => {
        clearTimeout(timer);
        this.#waiting = null;
        done(arrived);
      };
      this.#waiting = () => finish(true);
    });
  }

  #take(method: string): Reply | null {
    if (this.#bytes < this.#enough) return this.#ended === null ? null : this.#takeUntilEnd();
    const all =
      this.#chunks.length === 1 && this.#chunks[0] !== undefined
        ? this.#chunks[0]
        : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const { status, headers } = headOf(all.toString('latin1', 0, end));
    const start = end + 4;
    if (status < 200) {
      this.#keepFrom(all, start);
      return this.#take(method);
    }
    if (method === 'HEAD' || status === 204 || status === 304)
      return this.#cut(all, start, { status, headers, body: Buffer.alloc(0) });
    // It never ends by itself.
    if (headers['content-type']?.startsWith('text/event-stream') === true)
      return { status, headers, body: all.subarray(start) };
    if (headers['transfer-encoding'] === 'chunked') return this.#takeChunked(all, start, { status, headers });
    const length = Number(headers['content-length']);
    if (Number.isNaN(length))
      return this.#ended === null ? null : { status, headers, body: all.subarray(start) };
    this.#enough = start + length;
    return all.length < this.#enough
      ? null
      : this.#cut(all, start + length, { status, headers, body: all.subarray(start, start + length) });
  }

  /** A response that its connection cut off is none. */
  #takeUntilEnd(): null {
    this.#enough = 0;
    return null;
  }

  #takeChunked(all: Buffer, start: number, head: Omit<Reply, 'body'>): Reply | null {
    const pieces: Buffer[] = [];
    for (let at = start; ;) {
      const line = all.indexOf('\r\n', at);
      if (line < 0) return null;
      const length = Number.parseInt(all.toString('latin1', at, line), 16);
      const from = line + 2;
      if (length === 0)
        return all.length < from + 2
          ? null
          : this.#cut(all, from + 2, { ...head, body: Buffer.concat(pieces) });
      if (all.length < from + length + 2) {
        this.#enough = from + length + 7;
        return null;
      }
      pieces.push(all.subarray(from, from + length));
      at = from + length + 2;
    }
  }

  #cut(all: Buffer, at: number, reply: Reply): Reply {
    this.#keepFrom(all, at);
    return reply;
  }

  #keepFrom(all: Buffer, at: number): void {
    const rest = all.subarray(at);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#enough = 0;
  }
}

function headOf(text: string): Omit<Reply, 'body'> {
  const [first = '', ...lines] = text.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(first.split(' ')[1]), headers };
}

/** A request whose Content-Length is right. */
export function requestText(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body: Buffer | string = '',
): Buffer {
  const bytes = Buffer.from(body);
  const length =
    bytes.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH'
      ? [`Content-Length: ${bytes.length}`]
      : [];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...length,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** Sends one request on a connection of its own and waits for the response. @throws Error if none comes. */
export async function ask(
  port: number,
  method: string,
  target: string,
  {
    headers = {},
    body,
    within = 20_000,
  }: { headers?: Readonly<Record<string, string>>; body?: unknown; within?: number } = {},
): Promise<Reply> {
  const connection = new Connection(port);
  const text =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  connection.send(requestText(method, target, { ...type, Connection: 'close', ...headers }, text));
  const arrival = await connection.next(method, within);
  connection.destroy();
  if (arrival === null) throw new Error(`${method} ${target}: no response within ${within} ms.`);
  if ('ended' in arrival)
    throw new Error(
      `${method} ${target}: the connection ended (${arrival.ended}) after: ${arrival.rest.slice(0, 200)}`,
    );
  return arrival;
}

/** Sends one call to an operation. */
export function call(
  port: number,
  operation: string,
  {
    key,
    body,
    headers = {},
    within,
  }: { key: string; body: unknown; headers?: Readonly<Record<string, string>>; within?: number },
): Promise<Reply> {
  const patience = within === undefined ? {} : { within };
  return ask(port, 'POST', `/public/${operation}`, {
    headers: { 'SERVICE-API-KEY': key, ...headers },
    body,
    ...patience,
  });
}
