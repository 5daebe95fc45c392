import { createHash } from 'node:crypto';
import { planNamed, sizeOf, type Plan } from '../generate/counts.ts';
import type { World } from '../generate/world.ts';
import { after } from '../sandbox/clock.ts';
import { SandboxError } from '../base/errors.ts';
import { isRelativeTime } from '../base/relative-time.ts';
import { collectionNames, SeedCollection, type CollectionName, type Seed } from '../sandbox/seed.ts';
import { deepFreeze } from '../sandbox/state.ts';
import { onDemand } from '../base/on-demand.ts';
import type { PathPolicy } from './read-seed.ts';
import { seedText } from './seed-text.ts';

/** The maximum number of records in a seed that an HTTP request generates: it takes memory, and time of all clients. */
const maxOverHttp = 20_000;

/** Throws CapacityError if there is no room for a number of records. */
export type RequireRoom = (records: number) => void;

/** Generates seeds on request, such as `generated:videos=1000`. Caches each as long as a sandbox uses it. */
export class GeneratedSeeds {
  readonly #generated = new Map<string, WeakRef<Seed>>();
  readonly #inProgress = new Map<string, Promise<Seed>>();
  /** Settles when the last seed was generated: one after another, so that many take no more time of others. */
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects with SandboxError if the name is invalid, and with the error of `requireRoom`. */
  async named(asked: string, pathPolicy: PathPolicy, requireRoom: RequireRoom): Promise<Seed> {
    const { name, plan } = planNamed(asked);
    const size = sizeOf(plan);
    if (pathPolicy === 'names-only' && size > maxOverHttp) {
      throw new SandboxError(
        `The seed "${name}" would have ${size} records; the maximum over HTTP is ${maxOverHttp}. Start the server with --seed ${name}, or request fewer.`,
      );
    }
    const known = this.#generated.get(name)?.deref() ?? this.#inProgress.get(name);
    if (known !== undefined) return known;
    const generating = this.#last
      .then(() => {
        requireRoom(size);
        return generateSeed(name, plan);
      })
      .finally(() => this.#inProgress.delete(name));
    this.#inProgress.set(name, generating);
    this.#last = generating.catch(() => {});
    const seed = await generating;
    for (const [other, cached] of this.#generated)
      if (cached.deref() === undefined) this.#generated.delete(other);
    this.#generated.set(name, new WeakRef(seed));
    return seed;
  }
}

/** The number of records between two reports of progress. */
const recordsPerReport = 1000;

/** Generates the records of a plan in small steps, so that the server can answer calls meanwhile. */
export async function makeRecords(
  plan: Plan,
  onProgress: (records: number) => void = () => {},
): Promise<World> {
  // Imported here, because the generator takes long to load.
  const { makeWorld } = await onDemand(() => import('../generate/world.ts'));
  const steps = makeWorld(plan);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value % recordsPerReport === 0) onProgress(step.value);
    await nextTurn();
  }
}

/** Waits for a turn of the event loop, in which calls are answered. */
function nextTurn(): Promise<void> {
  return new Promise<void>((go) => void after(0, go, { keepAlive: true }));
}

async function generateSeed(name: string, plan: Plan): Promise<Seed> {
  const world = await makeRecords(plan);
  const hash = createHash('sha256');
  const collections: [CollectionName, object][] = [];
  for (const collection of collectionNames) {
    if (world[collection].length > 0) {
      hash.update(`${collection}\n`);
      for (const piece of seedText(world[collection])) {
        hash.update(piece);
        await nextTurn();
      }
      hash.update('\n');
    }
    collections.push([collection, collectionOf(collection, world)]);
    await nextTurn();
  }
  // The entries have one collection for each name.
  return {
    name,
    fingerprint: hash.digest('hex'),
    collections: Object.fromEntries(collections) as Seed['collections'],
  };
}

function collectionOf<N extends CollectionName>(name: N, world: World): SeedCollection<N> {
  const records = world[name];
  const relative = records.filter((record) => Object.values(deepFreeze(record)).some(isRelativeTime));
  return new SeedCollection(name, records, new Set(relative.map(({ id }) => id)));
}
