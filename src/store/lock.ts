import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { after } from '../sandbox/clock.ts';
import { SandboxError } from '../base/errors.ts';

/**
 * A lock on a location. Other processes cannot use the location until the lock is released or this process
 * ends.
 */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Locks a location by listening on a socket, which the system frees when the process ends for any reason. A
 * second server shows `owner` in its error. Rejects with SandboxError if another process holds the lock.
 */
export async function hold(socketPath: string, location: string, owner: string): Promise<Lock> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await listen(socketPath, owner);
    if (server !== null) return { release: () => new Promise((done) => server.close(() => done())) };
    const holder = await whoHolds(socketPath);
    if (holder !== null) {
      throw new SandboxError(
        `${location} is in use by another server (${holder}). Stop that server, or use another --data.`,
      );
    }
    // No process listens: a killed process left the socket behind.
    rmSync(socketPath, { force: true });
  }
  throw new SandboxError(`${location} cannot be locked: another server keeps locking and releasing it.`);
}

/** Resolves to null if the path is in use. */
function listen(path: string, owner: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(owner));
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(path, () => {
      server.unref();
      done(server);
    });
  });
}

/** Resolves to the owner that the listening process sends. Null if no process listens. */
function whoHolds(path: string): Promise<string | null> {
  return new Promise((done) => {
    let owner = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    const timeout = after(1000, () => socket.destroy());
    socket.on('data', (text: string) => (owner += text));
    socket.on('error', () => done(null));
    socket.on('close', () => {
      timeout.cancel();
      done(owner === '' ? 'unknown' : owner);
    });
  });
}
