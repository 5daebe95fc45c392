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

/** How many records a seed may have that a request from elsewhere asks for: it takes memory, and time of everybody's. */
const maxFromElsewhere = 20_000;

/** Seeds that are made when they are asked for, `generated:videos=1000`; kept as long as a sandbox uses them. */
export class GeneratedSeeds {
  readonly #made = new Map<string, WeakRef<Seed>>();
  readonly #underWay = new Map<string, Promise<Seed>>();

  /** Rejects with SandboxError for a name that tells of nothing that can be made. */
  async named(asked: string, pathPolicy: PathPolicy): Promise<Seed> {
    const { name, plan } = planNamed(asked);
    const size = sizeOf(plan);
    if (pathPolicy === 'names-only' && size > maxFromElsewhere) {
      throw new SandboxError(
        `The seed "${name}" would have ${size} records; over HTTP there may be ${maxFromElsewhere}. Start the server with --seed ${name}, or ask for less.`,
      );
    }
    const known = this.#made.get(name)?.deref() ?? this.#underWay.get(name);
    if (known !== undefined) return known;
    const making = makeSeed(name, plan).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, making);
    const seed = await making;
    for (const [other, made] of this.#made) if (made.deref() === undefined) this.#made.delete(other);
    this.#made.set(name, new WeakRef(seed));
    return seed;
  }
}

/** Makes the records of a plan, a few at a time, so that calls are answered meanwhile. `tell` hears how many there are. */
export async function makeRecords(plan: Plan, tell: (written: number) => void = () => {}): Promise<World> {
  // Only who generates waits for the generator.
  const { makeWorld } = await onDemand(() => import('../generate/world.ts'));
  const steps = makeWorld(plan);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    tell(step.value);
    await nextTurn();
  }
}

/** Lets calls be answered in between. */
function nextTurn(): Promise<void> {
  return new Promise<void>((go) => void after(0, go, { keepAlive: true }));
}

async function makeSeed(name: string, plan: Plan): Promise<Seed> {
  const world = await makeRecords(plan);
  const hash = createHash('sha256');
  const collections: [CollectionName, object][] = [];
  for (const collection of collectionNames) {
    hash.update(`${collection}\n`);
    for (const piece of seedText(world[collection])) {
      hash.update(piece);
      await nextTurn();
    }
    hash.update('\n');
    collections.push([collection, collectionOf(collection, world)]);
    await nextTurn();
  }
  // One collection per name, each of its own records.
  return { name, fingerprint: hash.digest('hex'), collections: Object.fromEntries(collections) as Seed['collections'] };
}

function collectionOf<N extends CollectionName>(name: N, world: World): SeedCollection<N> {
  const records = world[name];
  const relative = records.filter((record) => Object.values(deepFreeze(record)).some(isRelativeTime));
  return new SeedCollection(name, records, new Set(relative.map(({ id }) => id)));
}
