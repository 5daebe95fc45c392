import type { IncomingMessage } from 'node:http';

/** The most that is ever read of a body: the largest option of the assumption `maxPayload`. */
const mostBytes = 10_485_760;

export interface ReadBody {
  readonly text: string;
  readonly bytes: number;
  /** There was more than is ever read. */
  readonly cutOff: boolean;
}

/** Reads a body and calls back once with it; never where the client goes away before the end. */
export function readBody(request: IncomingMessage, done: (body: ReadBody) => void): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > mostBytes) return done({ text: '', bytes: declared, cutOff: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
    else {
      request.off('data', onData).off('end', onEnd).pause();
      done({ text: '', bytes, cutOff: true });
    }
  };
  const onEnd = (): void => {
    const [first] = chunks;
    const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes);
    done({ text: whole.toString('utf8'), bytes, cutOff: false });
  };
  request.on('data', onData).on('end', onEnd);
}
