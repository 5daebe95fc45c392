import type { Readable } from 'node:stream';
import type { Share } from '../sandbox/in-flight.ts';
import { maxHeldBytes, type Body } from '../upstream/proxy/messages.ts';

/** The memory of a body that does not count as held, in bytes. */
export const uncountedBytes = 65_536;

/** The size of the first buffer of a body in bytes. Each next buffer is twice as large. */
const firstBytes = 4096;

/**
 * Stores a body up to the maximum, or up to the memory that is left, and calls `heard` for every piece. Does
 * not settle if the stream fails. One buffer holds the whole body, because each small piece has a memory
 * overhead.
 */
export function takeBody(
  stream: Readable,
  share: Share,
  done: (body: Body) => void,
  heard: (bytes: number) => void = () => {},
): void {
  let held = Buffer.alloc(0);
  let length = 0;
  /** Returns false if the piece does not fit. */
  const store = (chunk: Buffer): boolean => {
    const needed = length + chunk.length;
    if (needed > maxHeldBytes) return false;
    if (needed > held.length) {
      const size = Math.min(maxHeldBytes, Math.max(needed, 2 * held.length, firstBytes));
      const more = Math.max(0, size - uncountedBytes) - Math.max(0, held.length - uncountedBytes);
      if (!share.take(more)) return false;
      const larger = Buffer.allocUnsafeSlow(size);
      held.copy(larger, 0, 0, length);
      held = larger;
    }
    chunk.copy(held, length);
    length = needed;
    return true;
  };
  const take = (chunk: Buffer): void => {
    heard(chunk.length);
    if (store(chunk)) return;
    stream.pause();
    stream.off('data', take).off('end', finish);
    // The piece that did not fit is the first of the rest.
    stream.unshift(chunk);
    done({ bytes: held.subarray(0, length), rest: stream });
  };
  const finish = (): void => done({ bytes: held.subarray(0, length), rest: null });
  stream.on('data', take).once('end', finish);
}
