import { assumptionNames, assumptions, type Options } from '../../assumptions.ts';
import { createSandbox } from '../../control/create-sandbox.ts';
import { after, stopwatch } from '../../sandbox/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Running } from '../../server/server.ts';
import { startChild } from '../child.ts';
import { environmentFor } from '../environment.ts';
import { Tail } from '../tail.ts';
import type { Groups } from './process-groups.ts';
import { resultOf, type Ended } from './result.ts';
import { sandboxIdOf, type PlannedRun, type Run } from './plan.ts';
import type { Watch } from './call-counter.ts';

/** What all runs share. */
export interface Stage {
  readonly running: Running;
  readonly watch: Watch;
  readonly groups: Groups;
  readonly basis: Options;
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutSeconds: number;
  readonly jobs: number;
  readonly isAllowed: (run: PlannedRun) => boolean;
}

/** Maximum number of characters stored of a run's output. */
const maxOutput = 64 * 1024;

/** Runs the program once with its own sandbox. */
export async function runOnce(planned: PlannedRun, stage: Stage): Promise<Run> {
  const { running, watch, jobs, isAllowed } = stage;
  const sandbox = await sandboxFor(planned, stage);
  const tally = watch.open(sandbox);
  const written = { out: new Tail(maxOutput), err: new Tail(maxOutput), all: new Tail(maxOutput) };
  const begun = stopwatch();
  const ended = await runCommand(planned, stage, sandbox, (stream, text) => {
    written[stream].add(text);
    written.all.add(text);
  });
  const seconds = Math.round(stopwatch() - begun) / 1000;
  watch.close(sandbox);
  running.sandboxes.remove(sandbox);
  const verdict = resultOf(planned, { ended, tally, out: written.out.text, err: written.err.text, jobs });
  return {
    name: planned.name,
    kind: planned.kind,
    assumptions: unusual(sandbox.options),
    scenario: sandbox.faults.scenario?.name ?? null,
    ...verdict,
    allowed: isAllowed(planned),
    calls: tally.calls,
    seconds,
    exitCode: ended.code,
    signal: ended.signal,
    output: written.all.text,
  };
}

async function sandboxFor(planned: PlannedRun, { running, basis, jobs }: Stage): Promise<Sandbox> {
  const options = { ...basis, ...planned.assumptions };
  const played = planned.scenario === null ? {} : { scenario: planned.scenario };
  const sandbox = await createSandbox(
    running,
    { id: sandboxIdOf(planned), assumptions: options, ...played },
    'names-and-files',
  );
  // Calls without a usable key use the options of the default sandbox, so sequential runs set them there too.
  if (jobs === 1) running.sandboxes.default.choose(sandbox.options, sandbox.checks);
  return sandbox;
}

async function runCommand(
  { name }: PlannedRun,
  { running, groups, program, environment, timeoutSeconds }: Stage,
  sandbox: Sandbox,
  listen: (stream: 'out' | 'err', text: string) => void,
): Promise<Ended> {
  const child = await startChild(program, environmentFor(running, sandbox, environment, name), listen);
  groups.add(child);
  let lateAfter: number | null = null;
  const deadline = after(timeoutSeconds * 1000, () => {
    lateAfter = timeoutSeconds;
    groups.end(child);
  });
  const ending = await child.ended;
  deadline.cancel();
  groups.remove(child);
  return { ...ending, lateAfter };
}

/** Returns the options that differ from the defaults. */
function unusual(options: Options): Run['assumptions'] {
  return Object.fromEntries(
    assumptionNames.flatMap((name) =>
      options[name] === assumptions[name].default ? [] : [[name, options[name]]],
    ),
  );
}
