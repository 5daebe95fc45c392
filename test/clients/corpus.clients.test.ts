import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioNames } from '../../src/store/read-scenario.ts';
import { bad } from './bad/index.ts';
import { exemplary } from './exemplary/index.ts';
import { atMost, LagMeter, play, type Outcome } from './play.ts';
import { Programs } from './programs.ts';
import type { Bad, Condition, Exemplary } from './spec.ts';
import { readVerdicts, writeVerdicts, type Verdicts } from './verdicts.ts';

// V8's default, which vitest.config.ts raises for short tests: this one runs the same code for minutes.
setFlagsFromString('--interrupt-budget=67584');

/** Whether all clients run, with all seeds. */
const isComplete = process.env['CORPUS_ONLY'] === undefined && process.env['CORPUS_SEEDS'] === undefined;

/** CORPUS_ONLY=exemplary/fetch,got runs the clients whose list and name contain one of these. */
const only = (process.env['CORPUS_ONLY'] ?? '').split(',');
const chosen = <C extends Exemplary | Bad>(list: string, clients: readonly C[]): readonly C[] =>
  clients.filter(({ name }) => only.some((part) => `${list}/${name}`.includes(part)));
const good = chosen('exemplary', exemplary);
const poor = chosen('bad', bad);

/** Accusations shown in full, for each client. */
const mostShown = 12;

/** Time to start the bad clients, most of which are found soon. */
const quietMs = 15_000;

/** Runs wait most of the time. Processes take memory, and their start takes a processor. */
const mostRuns = 250;
const mostProcesses = 20 * availableParallelism();

/** A run in which this process stood still for longer says nothing of the client's pauses: it is repeated. */
const mostLagMs = 150;
/** Less makes the pauses of a client longer that hardly pauses: it is a bad one's excuse. */
const mostLagOfBadMs = 10;
const mostRepeated = 40;
const mostRounds = 3;

/** CORPUS_SEEDS replaces all three. */
const { CORPUS_SEEDS: chosenSeeds } = process.env;
/** Seeds of clients whose point is how they draw their pauses. */
const manySeeds = Number(chosenSeeds ?? 20);
/** Seeds of other clients that draw some. */
const fewSeeds = Number(chosenSeeds ?? 3);
const scenarios = scenarioNames().map((scenario) => ({ name: scenario, scenario }));
const none: Condition = { name: 'no scenario' };
/** Under these, clients draw the pauses before most retries. */
const drawn = new Set(['bad-gateway', 'flaky-network', 'rate-limit-storm', 'silent-outage']);
/** Under these, before a few retries, or in addition to Retry-After. */
const hardlyDrawn = new Set(['long-outage', 'lost-replies', 'outage-then-recovery']);

function seedsFor({ random }: Exemplary, { name }: Condition): number {
  if (random === undefined || !(drawn.has(name) || hardlyDrawn.has(name))) return 1;
  return random === 'its pauses' && drawn.has(name) ? manySeeds : fewSeeds;
}

interface Run {
  readonly client: Exemplary | Bad;
  readonly condition: Condition;
  readonly seed: number;
  outcome: Outcome | null;
}

const programs = new Programs();
const lag = new LagMeter();
const runs: readonly Run[] = [
  ...good.flatMap((client) =>
    [...(client.only ?? [none, ...scenarios]), ...(client.also ?? [])].flatMap((condition) => {
      const count = seedsFor(client, condition);
      return Array.from({ length: count }, (_, index) => newRun(client, condition, index + 1));
    }),
  ),
  ...poor.map((client) => newRun(client, client.under, 1)),
];

function newRun(client: Run['client'], condition: Condition, seed: number): Run {
  return { client, condition, seed, outcome: null };
}

async function carryOut(run: Run): Promise<void> {
  const { client, condition, seed } = run;
  const code = typeof client.run === 'function' ? client.run : programs.client(client.run);
  run.outcome = await play(code, condition, seed, lag);
}

function isProgram({ client }: Run): boolean {
  return typeof client.run !== 'function';
}

function taskOf(run: Run): () => Promise<void> {
  return () => carryOut(run);
}

function isDisturbed({ client, outcome }: Run): boolean {
  if (outcome === null) return false;
  if ('check' in client) return outcome.lagMs >= mostLagOfBadMs && !isFound(client, outcome);
  return outcome.lagMs >= mostLagMs && wrongIn(outcome).length > 0;
}

function isFound({ check, mayBeNotJudged }: Bad, outcome: Outcome): boolean {
  const { failed, advised, notJudged } = outcome;
  return [...failed, ...advised, ...(mayBeNotJudged === true ? notJudged : [])].includes(check);
}

/** What is wrong with a run of an exemplary client. */
function wrongIn({ accusations, problem, calls }: Outcome): readonly string[] {
  return [
    ...accusations,
    ...(problem === null ? [] : [`it failed: ${problem}`]),
    ...(calls > 0 ? [] : ['it made no call.']),
  ];
}

beforeAll(async () => {
  // First, while it is quiet: a busy machine would make pauses longer that are too short.
  const first = runs.filter(({ client }) => 'check' in client);
  const later = runs.filter((run) => !first.includes(run));
  const found = atMost(first.length, quietMs / first.length, first.map(taskOf));
  if (first.length > 0) await Promise.race([found, sleep(quietMs * 1.5)]);
  const processes = later.filter(isProgram);
  const others = later.filter((run) => !isProgram(run));
  await Promise.all([
    found,
    atMost(mostProcesses, 400, processes.map(taskOf)),
    atMost(mostRuns, 100, others.map(taskOf)),
  ]);
  for (let round = 0; round < mostRounds; round += 1)
    await atMost(mostRepeated, 300, runs.filter(isDisturbed).map(taskOf));
}, 1_800_000);

afterAll(async () => {
  lag.stop();
  await programs.remove();
});

function runsOf(client: Run['client']): readonly (Run & { readonly outcome: Outcome })[] {
  return runs.flatMap((run) =>
    run.client === client && run.outcome !== null ? [{ ...run, outcome: run.outcome }] : [],
  );
}

/** Which checks accuse a client under which conditions, and in how many of its runs. */
function countsOf(own: ReturnType<typeof runsOf>): string {
  const names = own.flatMap(({ condition, outcome }) =>
    outcome.failed.map((check) => `${check} (${condition.name})`),
  );
  const counts = [...new Set(names)].map((name) => `${name}: ${names.filter((one) => one === name).length}`);
  return [`Accused in ${own.length} runs:`, ...counts].join('\n  ');
}

describe.runIf(good.length > 0)('an exemplary client is never accused', () => {
  it.each(good.map((client) => [client.name, client.is, client] as const))('%s: %s', (_, __, client) => {
    const accused = runsOf(client).flatMap(({ condition, seed, outcome }) =>
      wrongIn(outcome).map(
        (what) => `${client.name}, ${condition.name}, seed ${seed} (lag ${outcome.lagMs} ms): ${what}`,
      ),
    );
    const counts = countsOf(runsOf(client));
    expect(accused.length, `${counts}\n\n${accused.slice(0, mostShown).join('\n')}`).toBe(0);
  });
});

describe.runIf(poor.length > 0)('a badly behaved client is found, or at least not passed', () => {
  it.each(poor.map((client) => [client.name, client.check, client] as const))(
    '%s by %s',
    (_, check, client) => {
      const [run] = runsOf(client);
      expect(run, 'It did not run.').toBeDefined();
      if (run === undefined) return;
      const { failed, advised, notJudged, calls, problem, lagMs } = run.outcome;
      const seen = `${client.is} ${calls} calls; problem: ${problem}; lag ${lagMs} ms`;
      const accepted = client.mayBeNotJudged === true ? notJudged : [];
      expect([...failed, ...advised, ...accepted], seen).toContain(check);
    },
  );
});

/** A client that a run may find, and another may not judge, is listed in the same way. */
function partOf({ mayBeNotJudged }: Bad): Pick<Verdicts['bad'][number], 'mayBeNotJudged'> {
  return mayBeNotJudged === true ? { mayBeNotJudged } : {};
}

function verdicts(): Verdicts {
  return {
    exemplary: good.map((client) => {
      const own = runsOf(client);
      const accused = own.filter(({ outcome }) => outcome.accusations.length > 0);
      return { name: client.name, is: client.is, runs: own.length, accused: accused.length };
    }),
    bad: poor.map((client) => {
      const isFoundOnce = runsOf(client).some(({ outcome }) => isFound(client, outcome));
      return {
        name: client.name,
        is: client.is,
        foundBy: isFoundOnce ? client.check : null,
        ...partOf(client),
      };
    }),
  };
}

describe.runIf(isComplete)('the tables in docs/report.md', () => {
  it('show what the report said of all clients', () => {
    if (process.env['CORPUS_WRITE'] === '1') writeVerdicts(verdicts());
    expect(verdicts(), 'CORPUS_WRITE=1 npm run test:clients writes them.').toEqual(readVerdicts());
  });
});
