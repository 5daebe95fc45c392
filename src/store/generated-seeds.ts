import { createHash } from 'node:crypto';
import { planNamed, sizeOf, type Counts, type Plan } from '../generate/counts.ts';
import type { World } from '../generate/world.ts';
import { BusyError, CapacityError, SandboxError } from '../base/errors.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { weightOf } from '../base/weight.ts';
import { after } from '../sandbox/clock.ts';
import { collectionNames, type Seed } from '../sandbox/seed.ts';
import { Slices, StoppedError } from '../sandbox/slices.ts';
import { deepFreeze } from '../base/deep-freeze.ts';
import { onDemand } from '../base/on-demand.ts';
import type { PathPolicy } from './read-seed.ts';
import { collectionOf, collectionsFrom, type NamedCollection } from './seed-collection.ts';
import { seedText } from './seed-text.ts';

/** The maximum number of records in a seed that an HTTP request generates: it takes memory, and time of all clients. */
const maxOverHttp = 20_000;

/** The maximum number of seeds that are generated at the same time: each takes memory. Others wait. */
const maxAtOnce = 10;

/** If more seeds than this wait, an HTTP request for another one is refused. */
const maxWaitingOverHttp = 100;

/** A request for a generated seed. */
export interface SeedRequest {
  /** Throws CapacityError if there is no room for these records. */
  readonly requireRoom?: (counts: Counts) => void;
  /** Throws CapacityError if the records generated so far, of this size in bytes, have no room. */
  readonly requireBytes?: (bytes: number) => void;
  /** Returns whether nobody waits for the seed any more. */
  readonly isGone?: () => boolean;
}

/** The requests that wait for a seed. */
type Requests = SeedRequest[];

/** A seed that is being generated, or waits for its turn. */
interface Generating {
  readonly seed: Promise<Seed>;
  readonly requests: Requests;
}

/** A seed that waits for its turn. */
interface Waiting {
  readonly name: string;
  readonly requests: Requests;
  readonly begin: () => void;
  readonly leave: (error: StoppedError) => void;
}

/** Generates seeds on request, such as `generated:videos=1000`. Caches each as long as a sandbox uses it. */
export class GeneratedSeeds {
  readonly #generated = new Map<string, WeakRef<Seed>>();
  readonly #inProgress = new Map<string, Generating>();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #begun = 0;
  /** Seeds in progress share it: many take no more time of other requests than one, and a small one is soon done. */
  readonly #slices = new Slices();

  /**
   * Rejects with SandboxError if the name is invalid, with BusyError if too many wait, with the error of
   * `requireRoom` or `requireBytes`, and with StoppedError if nobody waits any more or the server stops.
   */
  async named(asked: string, pathPolicy: PathPolicy, request: SeedRequest): Promise<Seed> {
    const { name, plan } = planNamed(asked);
    const size = sizeOf(plan);
    if (pathPolicy === 'names-only' && size > maxOverHttp) {
      throw new SandboxError(
        `The seed "${name}" would have ${size} records; the maximum over HTTP is ${maxOverHttp}. Start the server with --seed ${name}, or request fewer.`,
      );
    }
    const known = this.#generated.get(name)?.deref();
    if (known !== undefined) return known;
    const started = this.#inProgress.get(name);
    if (started === undefined && pathPolicy === 'names-only') this.#requirePlaceInLine();
    request.requireRoom?.(plan.counts);
    const generating = started ?? this.#generate(name, plan);
    generating.requests.push(request);
    return generating.seed;
  }

  /** Ends what is in progress. */
  stop(): void {
    this.#slices.stop();
  }

  /** Throws BusyError if too many seeds wait, not counting those that no request needs any more. */
  #requirePlaceInLine(): void {
    for (const one of this.#waiting) {
      if (!areGone(one.requests)) continue;
      this.#waiting.delete(one);
      this.#inProgress.delete(one.name);
      one.leave(unwanted());
    }
    if (this.#waiting.size >= maxWaitingOverHttp)
      throw new BusyError(
        `The server is generating ${maxAtOnce} seeds, and ${maxWaitingOverHttp} others wait. Try again in 1 s. This is a limit of this server, not of the platform.`,
      );
  }

  #generate(name: string, plan: Plan): Generating {
    const requests: Requests = [];
    const generate = async (): Promise<Seed> => {
      try {
        const makeWorld = await loadGenerator();
        return this.#remember(await this.#slices.run(makingSeed(name, makeWorld, plan, requests)));
      } finally {
        this.#end();
      }
    };
    const seed = this.#turn(name, requests)
      .then(generate)
      .finally(() => this.#inProgress.delete(name));
    const generating = { seed, requests };
    this.#inProgress.set(name, generating);
    return generating;
  }

  /** Waits until a seed may be generated; then `#end` must follow. */
  async #turn(name: string, requests: Requests): Promise<void> {
    if (this.#begun >= maxAtOnce)
      return new Promise((begin, leave) => void this.#waiting.add({ name, requests, begin, leave }));
    this.#begun += 1;
  }

  /** Passes the turn on to the next seed. */
  #end(): void {
    const [next] = this.#waiting;
    if (next === undefined) return void (this.#begun -= 1);
    this.#waiting.delete(next);
    next.begin();
  }

  #remember(seed: Seed): Seed {
    for (const [other, cached] of this.#generated)
      if (cached.deref() === undefined) this.#generated.delete(other);
    this.#generated.set(seed.name, new WeakRef(seed));
    return seed;
  }
}

function areGone(requests: Requests): boolean {
  return requests.every(({ isGone }) => isGone?.() === true);
}

function unwanted(): StoppedError {
  return new StoppedError('No request is waiting for the seed any longer.');
}

/** Throws if nobody waits for the seed any more, or nobody who does has room for this size in bytes. */
function requireUse(requests: Requests, bytes: number): void {
  const wanting = requests.filter(({ isGone }) => isGone?.() !== true);
  if (wanting.length === 0) throw unwanted();
  const refusals = wanting.flatMap(({ requireBytes }) => refusalOf(() => requireBytes?.(bytes)) ?? []);
  const [first] = refusals;
  if (first !== undefined && refusals.length === wanting.length) throw first;
}

function refusalOf(check: () => void): CapacityError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof CapacityError) return error;
    throw error;
  }
}

/** The number of records between two reports of progress, and between two turns of other work. */
const recordsPerReport = 1000;
const recordsPerTurn = 50;

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
    if (step.value % recordsPerTurn === 0)
      await new Promise<void>((go) => void after(0, go, { keepAlive: true }));
  }
}

type MakeWorld = (plan: Plan, onRecord?: (record: object) => void) => Generator<number, World>;

/** Imported on first use, because the generator takes long to load. */
async function loadGenerator(): Promise<MakeWorld> {
  return (await onDemand(() => import('../generate/world.ts'))).makeWorld;
}

function* makingSeed(name: string, makeWorld: MakeWorld, plan: Plan, requests: Requests): SlicedWork<Seed> {
  let generatedBytes = 0;
  const onRecord = (record: object): void => {
    generatedBytes += weightOf(deepFreeze(record));
  };
  const world = yield* inSteps(makeWorld(plan, onRecord), () => requireUse(requests, generatedBytes));
  const hash = createHash('sha256');
  const collections: NamedCollection[] = [];
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
  }
  return { name, fingerprint: hash.digest('hex'), generatedBytes, collections: collectionsFrom(collections) };
}

function* inSteps(steps: Generator<number, World>, check: () => void): SlicedWork<World> {
  for (;;) {
    check();
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}
