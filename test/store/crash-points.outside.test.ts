import fs, { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { labId } from '../support/demo.ts';
import { holdWrites } from '../support/held-writes.ts';

/** What the clients know of a sandbox. */
interface Known {
  /** Null while it is being created or deleted. */
  readonly isThere: boolean | null;
  /** The numbers of the last change that was sent, and of the last one that was acknowledged. */
  readonly sent: number;
  readonly acknowledged: number;
}

type World = Readonly<Record<string, Known>>;

/** The files that a crash leaves at one moment, and what the clients knew then. */
interface CrashPoint {
  readonly folder: string;
  readonly world: World;
  /** What the process was about to do. */
  readonly before: string;
}

/** The calls of the system that change files: whenever a process is killed between two of them, the files are the same. */
const changing = ['openSync', 'writeSync', 'renameSync', 'rmSync', 'ftruncateSync', 'truncateSync'] as const;

/** Copies a folder before each call of the system that changes files, and as half of a written line leaves it. */
function collectCrashPoints(data: string, world: () => World) {
  const points = new Map<string, CrashPoint>();
  let isCopying = false;
  const add = (
    before: string,
    half: { readonly file: string; readonly size: number } | null = null,
  ): void => {
    isCopying = true;
    const folder = join(temporaryFolder(), 'copy');
    cpSync(data, folder, { recursive: true, filter: isNoLock });
    if (half !== null) truncateSync(join(folder, half.file), half.size);
    // Unfinished files have random names.
    const sizes = [...sizesIn(folder)].map(([name, size]) => [name.replace(/\.[^.]+(?=\.lp-)/, ''), size]);
    const known = world();
    const key = JSON.stringify([sizes, known]);
    if (points.has(key)) rmSync(folder, { recursive: true });
    else points.set(key, { folder, world: known, before });
    isCopying = false;
  };
  const spies = changing.map((name) => {
    // Each has other parameters and results, which are passed on.
    const real = fs[name] as (...values: readonly unknown[]) => unknown;
    const watched = (...values: readonly unknown[]): unknown => {
      if (isCopying) return real(...values);
      add(name);
      const before = sizesIn(data);
      const result = real(...values);
      if (name === 'writeSync')
        for (const [file, size] of sizesIn(data)) {
          const from = before.get(file) ?? 0;
          if (size - from > 1)
            add(`the rest of ${file}`, { file, size: from + Math.floor((size - from) / 2) });
        }
      return result;
    };
    return vi.spyOn(fs, name).mockImplementation(watched);
  });
  syncBuiltinESMExports();
  const stop = (): readonly CrashPoint[] => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
    return [...points.values()];
  };
  onTestFinished(() => void stop());
  return { stop, add };
}

const isNoLock = (file: string): boolean => !file.endsWith('.lock');

function sizesIn(folder: string): ReadonlyMap<string, number> {
  const names = readdirSync(folder).filter(isNoLock);
  return new Map(names.map((name) => [name, statSync(join(folder, name)).size]));
}

const unknown: Known = { isThere: false, sent: 0, acknowledged: 0 };

/** The clients of a server, who know what was acknowledged. */
class Clients {
  readonly #server: SandboxServer;
  world: World;

  constructor(server: SandboxServer, world: World) {
    this.#server = server;
    this.world = world;
  }

  #know(id: string, known: Partial<Known>): void {
    this.world = { ...this.world, [id]: { ...(this.world[id] ?? unknown), ...known } };
  }

  async create(id: string): Promise<void> {
    this.#know(id, { isThere: null, sent: 0, acknowledged: 0 });
    await this.#server.createSandbox({ id });
    this.#know(id, { isThere: true });
  }

  async remove(id: string): Promise<void> {
    this.#know(id, { isThere: null });
    await (await this.#server.sandbox(id))?.remove();
    this.#know(id, { isThere: false });
  }

  /** Changes a sandbox. The line has at least this size, in bytes. */
  async change(id: string, bytes = 0): Promise<void> {
    const number = (this.world[id]?.sent ?? 0) + 1;
    this.#know(id, { sent: number });
    const labTitle = `${number}${' '.repeat(bytes)}`;
    await (await this.#server.sandbox(id))?.state.patch('labs', labId, { labTitle });
    this.#know(id, { acknowledged: number });
  }

  /** Looks at what is there after a crash. Returns what was lost, or should not be there. */
  async look(): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const [id, { isThere, sent, acknowledged }] of Object.entries(this.world)) {
      const sandbox = await this.#server.sandbox(id);
      if (isThere === (sandbox === null)) wrong.push(`${id} is ${isThere ? 'lost' : 'back'}`);
      this.#know(id, { isThere: sandbox !== null });
      if (sandbox === null) continue;
      const { labTitle } = (await sandbox.state.get('labs', labId)) ?? {};
      const found = /^\d+/.exec(String(labTitle));
      const number = Number(found?.[0] ?? 0);
      if (number < acknowledged || number > sent)
        wrong.push(`${id} has change ${number}, but ${acknowledged} of ${sent} were acknowledged`);
      this.#know(id, { sent: number, acknowledged: number });
    }
    return wrong;
  }
}

/** What happened in a life: the points at which it could have been ended, and what its start has lost. */
interface Life {
  readonly points: readonly CrashPoint[];
  readonly wrong: readonly string[];
}

/** Starts a server with what a crash has left, does all that changes its files, and stops it. */
async function live({ folder, world }: Pick<CrashPoint, 'folder' | 'world'>): Promise<Life> {
  let clients: Clients | null = null;
  const collected = collectCrashPoints(folder, () => clients?.world ?? world);
  const { waiting, writes } = holdWrites();
  const server = await startSandbox({ port: 0, data: folder });
  clients = new Clients(server, world);
  const wrong = await clients.look();
  const found = Object.keys(clients.world).filter((id) => clients.world[id]?.isThere === true);
  // While the state files of what was found are written.
  for (const id of found) await clients.change(id);
  writes.mockRestore();
  for (const go of waiting) go();
  for (const id of ['other', 'short-lived']) if (!found.includes(id)) await clients.create(id);
  for (const id of ['other', 'short-lived']) await clients.change(id);
  await clients.remove('short-lived');
  // The log is written into the state file.
  for (let count = 0; count < 3; count += 1) await clients.change('default', 400_000);
  await clients.change('default');
  await server.close();
  collected.add('nothing');
  return { points: collected.stop(), wrong: [...wrong, ...unusableIn(folder)] };
}

/** Starts a server with what a crash has left. Returns what was lost. */
async function lossesOf({ folder, world }: CrashPoint): Promise<readonly string[]> {
  const server = await startSandbox({ port: 0, data: folder });
  const wrong = await new Clients(server, world).look();
  await server.close();
  return [...wrong, ...unusableIn(folder)];
}

const unusableIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.includes('unusable'));

it(
  'loses nothing in a crash at any moment, nor in a second one at any moment of the life after it',
  { timeout: 900_000 },
  async () => {
    const world = { default: { isThere: true, sent: 0, acknowledged: 0 } };
    const first = await live({ folder: temporaryFolder(), world });
    const wrong = [...first.wrong];
    let count = 0;
    for (const point of first.points) {
      const second = await live(point);
      wrong.push(...second.wrong.map((one) => `killed before ${point.before}: ${one}`));
      for (const next of second.points) {
        count += 1;
        const losses = await lossesOf(next);
        wrong.push(
          ...losses.map((one) => `killed before ${point.before}, then before ${next.before}: ${one}`),
        );
        rmSync(next.folder, { recursive: true });
      }
      rmSync(point.folder, { recursive: true });
    }
    expect(wrong).toEqual([]);
    // If there were few, the calls of the system were not seen.
    expect(count).toBeGreaterThan(500);
  },
);
