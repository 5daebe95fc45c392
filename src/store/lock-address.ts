import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { hostname, platform } from 'node:os';
import { after } from '../sandbox/clock.ts';

/** A server that uses a folder, or a state file. */
export interface Holder {
  /** How it names itself. */
  readonly owner: string;
  readonly folder: string;
}

/** A socket that this process listens on. The system frees it when the process ends for any reason. */
export interface Occupied {
  readonly address: string;
  free(): Promise<void>;
}

/** The addresses of a name: the number of a deleted folder can belong to another folder now. */
export function addressesOf(base: string): readonly string[] {
  return Array.from({ length: 100 }, (_, number) => `${base}-${number}`);
}

/**
 * Listens on a socket for a folder or a file. Resolves to the server that was first. One that is silent counts only
 * for a file: nothing else names it if it has the file in another folder.
 */
export async function occupy(
  base: string,
  self: Holder,
  { silentToo = false } = {},
): Promise<Occupied | Holder> {
  for (const address of addressesOf(base)) {
    const occupied = await listenAt(address, self);
    if (occupied !== null) return occupied;
    const holder = await holderOf(address);
    if (holder === null) continue;
    if (holder.folder === '' ? silentToo : isSame(holder.folder, self.folder)) return holder;
  }
  return { ...self, owner: 'one that starts and stops again and again' };
}

/** Listens on a socket. Resolves to null if it is in use. */
export async function listenAt(address: string, self: Holder): Promise<Occupied | null> {
  const server = (await listen(address, self)) ?? (await listenAgain(address, self));
  return server && { address, free: () => new Promise((done) => server.close(() => done())) };
}

/**
 * Resolves to the server that listens; null if none does. One that is paused or busy says nothing in time: its folder
 * is empty then.
 */
export function holderOf(address: string): Promise<Holder | null> {
  return new Promise((done) => {
    let text = '';
    let isConnected = false;
    const socket = connect(pathOf(address));
    socket.setEncoding('utf8');
    const timeout = after(1000, () => socket.destroy());
    socket.on('connect', () => (isConnected = true));
    socket.on('data', (piece: string) => (text += piece));
    socket.on('error', () => {});
    socket.on('close', () => {
      timeout.cancel();
      done(isConnected ? holderIn(text) : null);
    });
  });
}

function holderIn(text: string): Holder {
  const [owner = '', ...folder] = text.split('\n');
  return {
    owner: owner === '' ? 'one that does not answer: it may be paused or busy' : owner,
    folder: folder.join('\n'),
  };
}

/** Resolves to null if the socket is in use. */
function listen(address: string, { owner, folder }: Holder): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(`${owner}\n${folder}`));
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(pathOf(address), () => {
      server.unref();
      done(server);
    });
  });
}

/** A killed process can leave the file of its socket behind. */
async function listenAgain(address: string, self: Holder): Promise<Server | null> {
  if (!isFile || (await holderOf(address)) !== null) return null;
  rmSync(pathOf(address), { force: true });
  return listen(address, self);
}

export function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((folder) =>
    statSync(folder, { bigint: true, throwIfNoEntry: false }),
  );
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Linux and Windows have sockets without a file, which nobody can delete. */
const isFile = !['linux', 'win32'].includes(platform());

function pathOf(address: string): string {
  if (platform() === 'linux') return `\0lp-sandbox-${address}`;
  if (platform() === 'win32') return `\\\\.\\pipe\\lp-sandbox-${address}`;
  // The same for every value of TMPDIR.
  return `/tmp/lp-sandbox-${address}.lock`;
}

/** Names the processes that can see each other's sockets: one boot of one machine, outside containers. */
export function thisMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/net')}`;
  } catch {
    return hostname();
  }
}

/** The address of the socket of a lock file, the same for every path to its folder, or of a state file. */
export function addressOf(path: string, name: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return createHash('sha256').update(`${dev} ${ino} ${name}`).digest('hex').slice(0, 24);
}
