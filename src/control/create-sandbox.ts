import { chooseOptions, type PartialOptions, type ProfileName } from '../assumptions.ts';
import type { Violation } from '../base/violation.ts';
import type { Counts } from '../generate/counts.ts';
import { checkId, requireFree, whenCreated } from './sandbox-id.ts';
import { SandboxError, ValidationError } from '../base/errors.ts';
import { storeFacts } from '../sandbox/facts.ts';
import type { Quotas } from '../sandbox/quotas.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { StateRoom } from '../sandbox/state-memory.ts';
import { unguessableId } from '../sandbox/random.ts';
import { nextGeneration } from '../sandbox/sandbox-tokens.ts';
import { collectionNames, type Seed } from '../sandbox/seed.ts';
import { ruleFor } from '../settings/value-rule.ts';
import { readScenario } from '../store/read-scenario.ts';
import type { PathPolicy } from '../store/read-seed.ts';
import { checkOptions, checkProfile, checkTemplates } from './assumptions.ts';
import type { ServerParts } from './server-parts.ts';
import { readSetting, type ClockSetting } from './clock.ts';
import { refuseBehindProxy } from './faults.ts';

/** Settings of a new sandbox. A missing one gets the server's setting. */
export interface NewSandbox {
  /** 1 to 64 of a-z, 0-9 and dash; generated if missing. */
  readonly id?: string;
  /** A seed's name, or a folder of fixtures. */
  readonly seed?: string;
  readonly randomSeed?: number;
  readonly profile?: ProfileName;
  readonly assumptions?: PartialOptions;
  /** The text of the option `template` of `refusalBody`; null for none, even if the server has one. */
  readonly refusalTemplate?: string | null;
  /** The same for `gatewayRefusalBody`. */
  readonly gatewayTemplate?: string | null;
  readonly clock?: ClockSetting;
  /** A scenario's name, or the path of a scenario file; null for none, even if the server plays one. */
  readonly scenario?: string | null;
  /** Seconds of real time without use after which the sandbox is deleted. Null or missing: never. */
  readonly ttlSeconds?: number | null;
  /** Limits of the server for this sandbox, such as `{ callsPerSecond: 50 }`. Missing ones are those of the server. */
  readonly quotas?: Quotas;
}

/** Names that are often used by mistake, with the correct ones. */
const otherNames: Readonly<Record<string, string>> = {
  assume: 'Use "assumptions".',
  name: 'Use "id".',
  ttl: 'Use "ttlSeconds".',
  max: 'Use "quotas".',
  limits: 'Set them after you create the sandbox: PUT …/limits, or limits.set() in code.',
  faults: 'Add rules after you create the sandbox: POST …/faults, or faults.add() in code.',
  apiKey: 'Keys are derived from the id and the schools: sbx_<id>_<school>.',
};
const ofServer: ReadonlySet<string> = new Set([
  'port',
  'host',
  'publicUrl',
  'data',
  'assumeFile',
  'log',
  'autoCreate',
  'maxSandboxes',
  'controlToken',
  'tokenSecret',
  'controlPort',
  'labels',
]);

/** Adds a hint to violations that name a setting of another place. */
export function withOtherNames(violations: readonly Violation[]): readonly Violation[] {
  return violations.map(({ pointer, message }) => {
    const name = pointer.slice(1);
    const hint = ofServer.has(name) ? 'It is a setting of the whole server.' : ruleFor(otherNames, name);
    return { pointer, message: hint === undefined ? message : `${message} ${hint}` };
  });
}

/**
 * Creates a sandbox. Throws SandboxError for an id that is taken or invalid, and for an unknown seed or
 * scenario.
 */
export async function createSandbox(
  parts: ServerParts,
  request: NewSandbox,
  pathPolicy: PathPolicy,
  isGone?: () => boolean,
): Promise<Sandbox> {
  const reservation = new Reservation(parts.sandboxes, pathPolicy, request.quotas);
  try {
    return await createWith(parts, request, pathPolicy, reservation, isGone);
  } finally {
    reservation.end();
  }
}

async function createWith(
  { sandboxes, checkSource, seeds, tokens }: ServerParts,
  request: NewSandbox,
  pathPolicy: PathPolicy,
  reservation: Reservation,
  isGone: (() => boolean) | undefined,
): Promise<Sandbox> {
  const {
    id: wanted,
    seed,
    randomSeed,
    profile,
    assumptions = {},
    clock,
    scenario,
    ttlSeconds,
    quotas,
  } = request;
  // Before the work.
  if (wanted !== undefined) await requireFree(wanted, sandboxes);
  const found = new Found();
  const chosen = await found.at('', () => checkOptions(assumptions, '/assumptions', sandboxes.caps));
  const base = await found.at('/profile', () =>
    profile === undefined ? sandboxes.default.options : chooseOptions(checkProfile(profile)),
  );
  const seeded = await found.at('/seed', () =>
    seed === undefined
      ? undefined
      : seeds.named(seed, pathPolicy, {
          requireRoom: (counts) => reservation.make(leastBytesOf(counts)),
          requireBytes: (bytes) => reservation.checkSize(bytes),
          ...(isGone === undefined ? {} : { isGone }),
        }),
  );
  const played = await found.at('/scenario', async () => {
    if (typeof scenario !== 'string') return scenario;
    refuseBehindProxy(sandboxes.default);
    return readScenario(scenario, pathPolicy);
  });
  const time = await found.at('/clock/now', () => (clock === undefined ? undefined : readSetting(clock)));
  found.throwWhatIsWrong();
  const options = { ...(base ?? sandboxes.default.options), ...chosen };
  const templates = checkTemplates(request, sandboxes.default.templates, options);
  const plan = {
    options,
    templates,
    checks: await checkSource.checksUnder(options),
    ...(seeded === undefined ? {} : { seed: seeded }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(played === undefined ? {} : { scenario: played }),
    ...(time === undefined ? {} : { clock: time }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(quotas === undefined ? {} : { quotas }),
  };
  const id = wanted ?? (tokens === null ? freeId(sandboxes) : unguessableId());
  // Again, because another request may have taken the id in the meantime.
  checkId(id, sandboxes);
  const sandbox = sandboxes.create({ ...plan, id, origin: 'control-plane' });
  reservation.end();
  if (seeded !== undefined && pathPolicy === 'names-only') countSeed(seeded, sandbox, sandboxes);
  if (tokens !== null) sandbox.tokenGeneration = nextGeneration(null);
  storeFacts(sandbox, () => sandboxes.remove(sandbox));
  await whenCreated(sandbox, sandboxes);
  return sandbox;
}

/** The memory of the smallest generated records in bytes, for collections with much larger ones. */
const leastBytes: Partial<Counts> = { quizzes: 10_000, submissions: 2500, labs: 2000, instructors: 1200 };
const leastRecordBytes = 500;

function leastBytesOf(counts: Counts): number {
  return collectionNames.reduce(
    (sum, name) => sum + counts[name] * (leastBytes[name] ?? leastRecordBytes),
    0,
  );
}

/** The memory that a sandbox will need for its generated seed: others cannot take it meanwhile. */
class Reservation {
  readonly #sandboxes: Sandboxes;
  readonly #pathPolicy: PathPolicy;
  readonly #quotas: Quotas;
  #room: StateRoom | null = null;

  constructor(sandboxes: Sandboxes, pathPolicy: PathPolicy, quotas: Quotas = {}) {
    this.#sandboxes = sandboxes;
    this.#pathPolicy = pathPolicy;
    this.#quotas = quotas;
  }

  /** Throws CapacityError if there is no room. */
  make(bytes: number): void {
    this.#room = this.#sandboxes.reserve(bytes, this.#quotas);
    // Like `countSeed` below, which does not count the seeds of calls in code.
    if (this.#pathPolicy !== 'names-only') this.end();
  }

  /** Throws CapacityError if there never can be room for this size. */
  checkSize(bytes: number): void {
    this.#room?.checkSize(bytes);
  }

  end(): void {
    this.#room?.close();
  }
}

/**
 * Counts a generated seed in the memory of its sandbox, because any client can request one. Throws
 * StateCapacityError.
 */
function countSeed({ generatedBytes = 0 }: Seed, sandbox: Sandbox, sandboxes: Sandboxes): void {
  try {
    sandbox.stateRoom.take(generatedBytes);
  } catch (error) {
    sandboxes.remove(sandbox);
    throw error;
  }
}

/** Collects all errors, so that they are reported together. */
class Found {
  readonly #wrong: { readonly pointer: string; readonly error: SandboxError }[] = [];

  /** Returns the result of the step, or undefined if it fails. `pointer` is its place in the request body. */
  async at<T>(pointer: string, step: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.#wrong.push({ pointer, error });
      return undefined;
    }
  }

  throwWhatIsWrong(): void {
    const [first, ...more] = this.#wrong;
    if (first === undefined) return;
    if (more.length === 0) throw first.error;
    const violations = this.#wrong.flatMap(({ pointer, error }) =>
      error instanceof ValidationError
        ? error.violations
        : [{ pointer, message: `cannot be used: ${error.message}` }],
    );
    throw new ValidationError('The sandbox cannot be created.', violations);
  }
}

function freeId(sandboxes: Sandboxes): string {
  for (let number = sandboxes.count; ; number += 1)
    if (!sandboxes.has(`sandbox-${number}`)) return `sandbox-${number}`;
}
