import { bytesIn, secondsIn, standardMemory } from '../base/amounts.ts';
import type { Observer, Witness } from '../answer/witness.ts';
import { chooseOptions, type PartialOptions, type ProfileName } from '../assumptions.ts';
import { ParameterCheckSource, type CheckSource } from '../contract/parameter-checks.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { limitsWith, type ServerLimits } from '../base/server-limits.ts';
import { createLog, type Log, type LogFormat, type Write } from './log.ts';
import { isPrivate } from '../http/control-guard.ts';
import { LazyAuthors } from '../generate/authors.ts';
import { listen, type Served } from '../http/server/listen.ts';
import type { PassThrough } from '../http/proxy-app.ts';
import { shownHost, withoutSlash } from '../http/server/origin.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import { JournalMemory } from '../sandbox/journal-memory.ts';
import { InFlight } from '../sandbox/in-flight.ts';
import { ViewMemory } from '../sandbox/view-memory.ts';
import { allOrErrors } from '../base/errors.ts';
import { newToken } from '../sandbox/random.ts';
import { usualMost, type Sandboxes } from '../sandbox/sandboxes.ts';
import { readAssumeFile } from '../store/read-assume-file.ts';
import { readScenario } from '../store/read-scenario.ts';
import { Seeds } from '../store/read-seed.ts';
import { Store } from '../store/store.ts';
import { warmUp } from './warm-up.ts';

/** What a server is asked for; what is absent has its default. */
export interface Settings {
  port?: number;
  host?: string;
  publicUrl?: string;
  data?: string;
  seed?: string;
  randomSeed?: number;
  assume?: PartialOptions;
  /** A file with options, as `lp-sandbox calibrate` writes it; `assume` goes on top. */
  assumeFile?: string;
  profile?: ProfileName;
  /** Scales every rate limit; `'off'` for none. Null means the same. */
  limits?: number | 'off' | null;
  log?: LogFormat;
  autoCreate?: boolean;
  /** How many sandboxes there may be at once. */
  maxSandboxes?: number;
  /** What every request to the control plane must carry. Made up where the server can be reached from elsewhere and none is given. */
  controlToken?: string;
  /** A port of its own for the control plane, or none at all; the server's own port where nothing is said. */
  controlPort?: number | 'off';
  /** A script of faults for every sandbox: a scenario's name, or the path of a file. */
  scenario?: string;
  /** Whether injected replies carry `Sandbox-Fault` (they do by default). */
  labels?: boolean;
  /** Limits of this server, such as `{ batchElements: 100 }`; docs/server-limits.md lists them. */
  max?: Partial<ServerLimits>;
  /** What all journals share: bytes, or a size such as `256MiB`. */
  journalMemory?: number | string;
  /** What the changed records of all sandboxes share: bytes, or a size such as `256MiB`. */
  stateMemory?: number | string;
  /**
   * How long a sandbox stays that a key has opened and nobody uses: an ISO 8601 duration, or `off`. One day by default, `off` with `data`.
   */
  idleExpiry?: string;
}

/** Where a server tells what happens: its log, and what its owner should know. */
export interface Channels {
  readonly out: Write;
  readonly err: Write;
  /** How the server calls itself towards another one that wants the same data. */
  readonly owner: string;
  /** Told of every exchange of every sandbox, where somebody wants to know. */
  readonly observe?: (exchange: StoredEntry) => void;
  /** Whether to load, once the server listens, what requests may need later: for servers that stay. */
  readonly warmUp?: boolean;
  /** Makes what passes calls on to another server, where the sandboxes are not to answer them. */
  readonly front?: (surroundings: PassThroughParts) => PassThrough;
}

/** What passing calls on needs of the server: in whose journal they stand, and who is told of each. */
interface PassThroughParts {
  readonly sandboxes: Sandboxes;
  readonly observe: Observer;
}

/** A server that is up. */
export interface Running {
  readonly url: string;
  readonly sandboxes: Sandboxes;
  readonly checkSource: CheckSource;
  readonly seeds: Seeds;
  readonly listening: Served;
  /** Where the control plane is, without its path; null for nowhere. The token is what it wants; null where it wants none. */
  readonly control: { readonly url: string | null; readonly token: string | null };
  /** The control token that was made up for this run; null where none was. */
  readonly madeUpToken: string | null;
  /** Finishes what is in flight and writes the state. */
  stop(): Promise<void>;
}

/** Starts a server. Throws SandboxError for settings that cannot be had, and Error where the machine is in the way. */
export async function startServer(
  settings: Settings,
  { out, err, owner, observe: watch, front: makeFront, warmUp: isToStay = false }: Channels,
): Promise<Running> {
  const { host = '127.0.0.1', port = 4010, publicUrl = null, data = null, log: format = 'silent' } = settings;
  const { controlToken = null, controlPort = null } = settings;
  const parameterChecks = new ParameterCheckSource();
  const authors = new LazyAuthors();
  const checkSource: CheckSource = {
    checksUnder: async (options) => {
      await authors.prepare(options);
      return parameterChecks.checksUnder(options);
    },
  };
  const seeds = new Seeds();
  const wanted = [
    settings.assumeFile === undefined ? Promise.resolve({}) : readAssumeFile(settings.assumeFile),
    seeds.named(settings.seed ?? 'demo'),
    settings.scenario === undefined ? Promise.resolve(null) : readScenario(settings.scenario),
  ] as const;
  await allOrErrors(wanted);
  const [fromFile, seed, scenario] = await Promise.all(wanted);
  const options = chooseOptions(settings.profile, { ...fromFile, ...settings.assume });
  const defaults = {
    seed,
    options,
    checks: await checkSource.checksUnder(options),
    randomSeed: settings.randomSeed ?? 1,
    limitScale: scaleFrom(settings.limits),
    scenario,
    labels: settings.labels ?? true,
    authors,
    caps: limitsWith(settings.max ?? {}),
    journalMemory: new JournalMemory(bytesIn(settings.journalMemory ?? '') ?? standardMemory(256)),
    stateMemory: new InFlight(bytesIn(settings.stateMemory ?? '') ?? standardMemory(512)),
    viewMemory: new ViewMemory(standardMemory(256)),
  };
  const log = await createLog(format, out, err);
  const warn = (message: string): void => err(`${message}\n`);
  const store = await Store.open({ data, owner, warn, seeds }, defaults, {
    autoCreate: settings.autoCreate ?? true,
    maxSandboxes: settings.maxSandboxes ?? usualMost,
    // `off` is no duration: sandboxes stay.
    idleSeconds: secondsIn(settings.idleExpiry ?? (data === null ? 'P1D' : 'off')),
  });
  try {
    const makings = { sandboxes: store.sandboxes, checkSource, seeds };
    const madeUpToken = controlToken === null && controlPort !== 'off' && !isPrivate(host, publicUrl) ? newToken() : null;
    const access = { controlToken: controlToken ?? madeUpToken, controlPort };
    const metrics = createMetrics({ sandboxes: store.sandboxes, stateWrites: () => store.writes });
    const observe = observerOf(log, metrics, watch);
    const front = makeFront === undefined ? null : makeFront({ sandboxes: store.sandboxes, observe });
    const witness: Witness = { observe, defect: (error, requestId) => log.defect(error, requestId) };
    const listening = await listen(makings, { host, port, publicUrl, witness, metrics, front, ...access });
    const warming = isToStay ? warmUp([...listening.parts, metrics.load, ...furtherParts], listening.requests) : null;
    const stop = async (): Promise<void> => {
      warming?.cancel();
      await listening.close();
      await store.close();
      log.flush();
    };
    const url = publicUrl === null ? `http://${shownHost(host)}:${listening.port}` : withoutSlash(publicUrl);
    const control = { url: controlUrl(listening, host, url), token: access.controlToken };
    return { url, ...makings, listening, control, madeUpToken, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What only some requests to the control plane need: rules and scenarios of faults, options of assumptions, generated records. */
const furtherParts = [
  () => import('../faults/check-rule.ts'),
  () => import('../store/yaml-parser.ts'),
  () => import('../contract/generated/contract.js'),
  () => import('../contract/compile.ts'),
  () => import('../generate/author.ts'),
  () => import('../generate/world.ts'),
];

/** The factor of all rate limits; null for none. */
function scaleFrom(limits: Settings['limits'] = 1): number | null {
  return limits === 'off' ? null : limits;
}

/** Tells all who want to know of an exchange; without a watcher no call pays for there being none. */
function observerOf(log: Log, metrics: Metrics, watch: Channels['observe']): Observer {
  const tell: Observer = (exchange, error) => {
    log.exchange(exchange, error);
    metrics.observe(exchange);
  };
  if (watch === undefined) return tell;
  return (exchange, error) => {
    tell(exchange, error);
    watch(exchange);
  };
}

function controlUrl({ port, controlPort }: Served, host: string, url: string): string | null {
  if (controlPort === null) return null;
  return controlPort === port ? url : `http://${shownHost(host)}:${controlPort}`;
}
