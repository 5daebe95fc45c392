import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clear, files, recorded, type Recorded } from './recorded.ts';

/**
 * From here to the end of the test, files of recordings are what `make` gives; returns those that were
 * opened.
 */
function replaceFiles(make: () => Readable): readonly Readable[] {
  const opened: Readable[] = [];
  const open = fs.createReadStream;
  vi.spyOn(fs, 'createReadStream').mockImplementation((path, options) => {
    if (!String(path).includes('/fixtures/media/')) return open(path, options);
    opened.push(make());
    // Nobody here asks for more of it than a stream has.
    return opened.at(-1) as fs.ReadStream;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return opened;
}

/** A connection on which a file was asked for, and which gets no more than is read from it. */
function asking({ sandbox, folder, query }: Recorded, file: string): Socket {
  const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${folder}${file}${query} HTTP/1.1\r\nHost: sandbox.example\r\n\r\n`);
  return socket;
}

/** Waits until more than so many bytes have come, and tells of each piece. */
function take(socket: Socket, bytes: number, tell: (taken: number) => void = () => {}): Promise<void> {
  let taken = 0;
  return new Promise((done) => {
    socket.on('data', (piece: Buffer) => {
      taken += piece.length;
      tell(taken);
      if (taken > bytes) done();
    });
  });
}

const kinds = ['camera/high-0.ts', 'screen/low-2.ts', 'recording.mp4'];

describe('a file', () => {
  it.each(kinds)(
    'is on its way before it is read to its end, and read no further when its client leaves: %s',
    async (file) => {
      const recording = await recorded();
      const opened = replaceFiles(() => {
        // A disk that has given some of the file, and takes its time for the rest.
        const slow = new Readable({ read: () => {} });
        slow.push(Buffer.alloc(4096));
        return slow;
      });
      const socket = asking(recording, file);
      await take(socket, 4096);
      expect(opened.map(({ destroyed }) => destroyed)).toEqual([false]);
      const closed = finished(opened[0] ?? socket).catch((error: Error) => error.message);
      socket.destroy();
      expect(await closed).toBe('Premature close');
      expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
      // The server is as well as before.
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      expect((await recording.get(file)).status).toBe(200);
    },
  );

  it.each(kinds)('is read no faster than its clients take it: %s', async (file) => {
    const recording = await recorded();
    const [piece, whole, slack] = [Buffer.alloc(65_536), 512 * 1024 * 1024, 32 * 1024 * 1024];
    let given = 0;
    replaceFiles(
      () =>
        new Readable({
          read() {
            given += piece.length;
            this.push(given > whole ? null : piece);
          },
        }),
    );
    const socket = asking(recording, file);
    let most = 0;
    await take(socket, slack, (taken) => (most = Math.max(most, given - taken)));
    socket.destroy();
    expect(most).toBeLessThan(slack);
  });

  it('whose reading fails ends the connection, and nothing else', async () => {
    const recording = await recorded();
    const opened = replaceFiles(
      () =>
        new Readable({
          read() {
            this.destroy(new Error('The disk is broken.'));
          },
        }),
    );
    await expect(recording.get('camera/high-0.ts')).rejects.toThrow('socket hang up');
    expect(opened).toHaveLength(1);
    expect((await recording.get('camera/master.m3u8')).status).toBe(200);
  });

  it('is opened for nobody who asks with HEAD, or is refused', async () => {
    const recording = await recorded();
    const opened = replaceFiles(() => Readable.from([]));
    for (const file of files) {
      await recording.get(file, recording.query, { method: 'HEAD' });
      await recording.get(file, '');
    }
    expect(opened).toEqual([]);
  });
});

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('many downloads at once', () => {
  it('are each what one alone is', async () => {
    const recording = await recorded();
    const alone = new Map<string, string>();
    for (const file of files) alone.set(file, digest((await recording.get(file)).body));
    expect(alone.get('recording.mp4')).toBe(digest(clear('recording.mp4')));
    const all = await Promise.all(
      Array.from({ length: 4 }, () => files)
        .flat()
        .map(async (file) => [file, digest((await recording.get(file)).body)] as const),
    );
    expect(all.filter(([file, got]) => alone.get(file) !== got)).toEqual([]);
    expect(all).toHaveLength(4 * files.length);
  });
});
