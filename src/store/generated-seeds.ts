import { createHash } from 'node:crypto';
import { planNamed, sizeOf, type Counts, type Plan } from '../generate/counts.ts';
import type { World } from '../generate/world.ts';
import { BusyError, SandboxError } from '../base/errors.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { weightOf } from '../base/weight.ts';
import { after } from '../sandbox/clock.ts';
import { collectionNames, type CollectionName, type Seed } from '../sandbox/seed.ts';
import { Slices, StoppedError } from '../sandbox/slices.ts';
import { onDemand } from '../base/on-demand.ts';
import type { PathPolicy } from './read-seed.ts';
import { collectionOf } from './seed-collection.ts';
import { seedText } from './seed-text.ts';

/** The maximum number of records in a seed that an HTTP request generates: it takes memory, and time of all clients. */
const maxOverHttp = 20_000;

/** The maximum number of seeds that are generated at the same time: each takes memory. */
const maxAtOnce = 10;

/** A request for a generated seed. */
export interface SeedRequest {
  /** Throws CapacityError if there is no room for these records. */
  readonly requireRoom?: (counts: Counts) => void;
  /** Returns whether nobody waits for the seed any more. */
  readonly isGone?: () => boolean;
}

/** A seed that is being generated. */
interface Generating {
  readonly seed: Promise<Seed>;
  /** Of the requests that wait for it; undefined for one that is never gone. */
  readonly requests: (SeedRequest['isGone'] | undefined)[];
}

/** Generates seeds on request, such as `generated:videos=1000`. Caches each as long as a sandbox uses it. */
export class GeneratedSeeds {
  readonly #generated = new Map<string, WeakRef<Seed>>();
  readonly #inProgress = new Map<string, Generating>();
  /** Seeds in progress share it: many take no more time of other requests than one, and a small one is soon done. */
  readonly #slices = new Slices();

  /**
   * Rejects with SandboxError if the name is invalid, with BusyError if too many are in progress, with the error
   * of `requireRoom`, and with StoppedError if nobody waits any more or the server stops.
   */
  async named(asked: string, pathPolicy: PathPolicy, { requireRoom, isGone }: SeedRequest): Promise<Seed> {
    const { name, plan } = planNamed(asked);
    const size = sizeOf(plan);
    if (pathPolicy === 'names-only' && size > maxOverHttp) {
      throw new SandboxError(
        `The seed "${name}" would have ${size} records; the maximum over HTTP is ${maxOverHttp}. Start the server with --seed ${name}, or request fewer.`,
      );
    }
    const known = this.#generated.get(name)?.deref();
    if (known !== undefined) return known;
    requireRoom?.(plan.counts);
    const generating = this.#inProgress.get(name) ?? this.#begin(name, plan);
    generating.requests.push(isGone);
    return generating.seed;
  }

  /** Ends what is in progress. */
  stop(): void {
    this.#slices.stop();
  }

  #begin(name: string, plan: Plan): Generating {
    if (this.#inProgress.size >= maxAtOnce)
      throw new BusyError(
        `The server is generating ${maxAtOnce} other seeds. Try again in 1 s. This is a limit of this server, not of the platform.`,
      );
    const requests: Generating['requests'] = [];
    const seed = loadGenerator()
      .then((makeWorld) => this.#slices.run(whileWanted(makingSeed(name, makeWorld(plan)), requests)))
      .then((made) => this.#remember(made))
      .finally(() => this.#inProgress.delete(name));
    const generating = { seed, requests };
    this.#inProgress.set(name, generating);
    return generating;
  }

  #remember(seed: Seed): Seed {
    for (const [other, cached] of this.#generated)
      if (cached.deref() === undefined) this.#generated.delete(other);
    this.#generated.set(seed.name, new WeakRef(seed));
    return seed;
  }
}

function* whileWanted<T>(work: SlicedWork<T>, requests: Generating['requests']): SlicedWork<T> {
  for (;;) {
    if (requests.every((isGone) => isGone?.() === true))
      throw new StoppedError('Nobody waits for the seed any more.');
    const step = work.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** The number of records between two reports of progress. */
const recordsPerReport = 1000;

/** Generates the records of a plan in small steps, so that the process can do other work meanwhile. */
export async function makeRecords(
  plan: Plan,
  onProgress: (records: number) => void = () => {},
): Promise<World> {
  const makeWorld = await loadGenerator();
  const steps = makeWorld(plan);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value % recordsPerReport === 0) onProgress(step.value);
    await new Promise<void>((go) => void after(0, go, { keepAlive: true }));
  }
}

/** Imported on first use, because the generator takes long to load. */
async function loadGenerator(): Promise<(plan: Plan) => Generator<number, World>> {
  return (await onDemand(() => import('../generate/world.ts'))).makeWorld;
}

function* makingSeed(name: string, steps: Generator<number, World>): SlicedWork<Seed> {
  const world = yield* inSteps(steps);
  const hash = createHash('sha256');
  const collections: [CollectionName, object][] = [];
  let bytes = 0;
  for (const collection of collectionNames) {
    if (world[collection].length > 0) {
      hash.update(`${collection}\n`);
      for (const piece of seedText(world[collection])) {
        hash.update(piece);
        yield;
      }
      hash.update('\n');
    }
    collections.push([collection, collectionOf(collection, world[collection])]);
    yield;
    for (const record of world[collection]) bytes += weightOf(record);
    yield;
  }
  // The entries have one collection for each name.
  return {
    name,
    fingerprint: hash.digest('hex'),
    generatedBytes: bytes,
    collections: Object.fromEntries(collections) as Seed['collections'],
  };
}

function* inSteps(steps: Generator<number, World>): SlicedWork<World> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}
