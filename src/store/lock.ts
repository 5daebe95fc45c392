import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { after } from '../sandbox/clock.ts';
import { SandboxError } from '../base/errors.ts';

/** A location held by this process; nobody else gets it until it is released, or the process is gone. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Holds a location by listening on a socket: the system frees it the moment the process ends, however it ends.
 * `owner` is what a second server is told. Throws SandboxError where another process holds it, naming that one.
 */
export async function hold(socketPath: string, location: string, owner: string): Promise<Lock> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await listen(socketPath, owner);
    if (server !== null) return { release: () => new Promise((done) => server.close(() => done())) };
    const holder = await whoHolds(socketPath);
    if (holder !== null) {
      throw new SandboxError(`${location} is in use by another server (${holder}). Stop that one, or give this one another --data.`);
    }
    // Nobody answers: what a killed process left behind.
    rmSync(socketPath, { force: true });
  }
  throw new SandboxError(`${location} cannot be locked: another server takes and leaves it all the time.`);
}

/** Null where the path is taken. */
function listen(path: string, owner: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(owner));
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)));
    server.listen(path, () => {
      server.unref();
      done(server);
    });
  });
}

/** What the process says that listens there; null where none does. */
function whoHolds(path: string): Promise<string | null> {
  return new Promise((done) => {
    let said = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    const patience = after(1000, () => socket.destroy());
    socket.on('data', (text: string) => (said += text));
    socket.on('error', () => done(null));
    socket.on('close', () => {
      patience.cancel();
      done(said === '' ? 'one that does not say which' : said);
    });
  });
}
