import { bytesIn, defaultMemoryBytes } from '../../base/amounts.ts';
import { createSandbox } from '../../control/create-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Seed } from '../../sandbox/seed.ts';
import { startServer, type Running, type Settings } from '../../server/server.ts';
import { Seeds } from '../../store/read-seed.ts';
import { Recorder } from '../recorder.ts';
import { CallCounter } from './call-counter.ts';
import { sandboxIdOf, type PlannedRun } from './plan.ts';

/** The server of a run, with everything that it observes. */
export interface RunServer {
  readonly running: Running;
  readonly sandbox: Sandbox;
  readonly counter: CallCounter;
  readonly recorder: Recorder;
}

type Observed = Parameters<CallCounter['observe']>[0];

interface RunServersOptions {
  readonly settings: Settings;
  /** Number of parallel runs, which share the memory for journals. */
  readonly jobs: number;
  readonly owner: string;
  readonly write: (text: string) => void;
}

/**
 * Starts one server per run. So every call belongs to one run and gets its options, with any key or none, and
 * the results do not depend on which runs are parallel.
 */
export class RunServers {
  readonly #options: RunServersOptions;
  readonly #seeds = new Seeds();
  /** Refers to the seed, because a generated one is cached only as long as it is in use. */
  readonly #inUse = new Set<Seed>();

  constructor(options: RunServersOptions) {
    this.#options = options;
  }

  async start(planned: PlannedRun): Promise<RunServer> {
    const { settings, jobs, owner, write } = this.#options;
    const memory = bytesIn(settings.journalMemory ?? '') ?? defaultMemoryBytes(256);
    let observer: ((entry: Observed) => void) | null = null;
    const running = await startServer(
      {
        port: 0,
        ...settings,
        ...(planned.scenario === null ? {} : { scenario: planned.scenario }),
        assume: { ...settings.assume, ...planned.assumptions },
        journalMemory: Math.ceil(memory / jobs),
      },
      { out: write, err: write, owner, seeds: this.#seeds, observe: (entry) => observer?.(entry) },
    );
    this.#inUse.add(await this.#seeds.named(settings.seed ?? 'demo'));
    const sandbox = await createSandbox(running, { id: sandboxIdOf(planned) }, 'names-and-files');
    const rules = sandbox.faults.all.flatMap(({ scenario, id }) => (scenario === null ? [] : [id]));
    const counter = new CallCounter(new Set(rules), running.sandboxes);
    const recorder = Recorder.of(settings, jobs);
    observer = (entry) => {
      counter.observe(entry);
      recorder.record(entry);
    };
    return { running, sandbox, counter, recorder };
  }

  stop(): void {
    this.#seeds.stop();
  }
}
