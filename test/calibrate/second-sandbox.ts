import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { chooseOptions, type AssumptionName, type PartialOptions } from '../../src/assumptions.ts';
import { calibrate, type Calibration } from '../../src/calibrate/calibrate.ts';
import type { Known } from '../../src/calibrate/known.ts';
import type { Probe } from '../../src/calibrate/probe.ts';
import { probes } from '../../src/calibrate/probes/index.ts';
import { connect, type Keys } from '../../src/calibrate/upstream.ts';
import type { Verdict } from '../../src/calibrate/verdict.ts';
import { startSandbox, type Records, type SandboxServer } from '../../src/index.ts';
import { coupon, labId, learner, quiz, schools } from '../support/demo.ts';

/** Where the time of each run begins. */
const beginning = Date.parse('2026-11-20T10:00:00.000Z');

/** A sandbox in the place of the real service: the demo school, with enough of everything for every probe. */
export interface SecondSandbox {
  readonly keys: Keys;
  readonly known: Known;
  url(): string;
  /** Finds out what the sandbox shows under some options. */
  calibrated(options: PartialOptions, more?: More): Promise<Calibration & { readonly options: ReturnType<typeof chooseOptions> }>;
}

interface More {
  readonly known?: Known;
  readonly keys?: Keys;
  readonly leftOut?: (probe: Probe) => string | null;
}

/** Starts one for all tests of a file. */
export function secondSandbox(): SecondSandbox {
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
  let server: SandboxServer | null = null;
  beforeAll(async () => {
    writeSeed(folder);
    server = await startSandbox({ port: 0, seed: folder });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const started = (): SandboxServer => {
    if (server === null) throw new Error('It is not started yet.');
    return server;
  };
  const keys = { own: 'sbx_default_riverside', second: 'sbx_default_riverside_second', other: 'sbx_default_hillcrest' };
  const known = knownRecords();
  return {
    keys,
    known,
    url: () => started().url,
    calibrated: async (chosen, more = {}) => {
      const { url, default: sandbox } = started();
      const options = chooseOptions('conventional', chosen);
      await sandbox.reset();
      await sandbox.assumptions.choose(options);
      await sandbox.limits.clearCounters();
      await sandbox.journal.clear();
      let now = beginning;
      await sandbox.clock.set({ mode: 'frozen', now: new Date(now).toISOString() });
      const time = {
        now: () => now,
        wait: async (seconds: number) => {
          now += seconds * 1000;
          await sandbox.clock.advance({ seconds });
        },
      };
      const plan = {
        probes: probes.map((probe) => ({ probe, leftOut: more.leftOut?.(probe) ?? null })),
        known: more.known ?? known,
        keys: more.keys ?? keys,
        pauseSeconds: 0,
        stamp: 'a-test',
      };
      return { ...(await calibrate(plan, { upstream: connect(url, plan.keys), time })), options };
    },
  };
}

/** The demo seed, with a second key for its school and enough presets for two pages of the usual size. */
function writeSeed(folder: string): void {
  cpSync('fixtures/demo', folder, { recursive: true });
  change<'schools'>(folder, 'schools', (all) => all.map((school) => ({ ...school, keyLabels: ['second'] })));
  change<'permissionPresets'>(folder, 'permissionPresets', (all) => [
    ...all,
    ...Array.from({ length: 20 }, (_, number) => ({ ...all[0], id: `preset-${number}`, schoolId: schools.riverside }) as (typeof all)[number]),
  ]);
}

function change<N extends keyof Records>(folder: string, name: N, changed: (all: readonly Records[N][]) => readonly Records[N][]): void {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(changed(read(name))));
}

function read<N extends keyof Records>(name: N): readonly Records[N][] {
  return JSON.parse(readFileSync(`fixtures/demo/${name}.json`, 'utf8')) as readonly Records[N][];
}

function knownRecords(): Known {
  const { id: serviceCouponCodeId, productId: serviceDigitalProductId, schoolId: _school, ...terms } = found('coupons', coupon.id);
  const { id, schoolId: _owner, ...rest } = found('labs', labId);
  return {
    quizId: quiz.id,
    courseItemId: quiz.itemId,
    userId: learner.id,
    userEmail: learner.email,
    coupon: { serviceCouponCodeId, serviceDigitalProductId, ...terms, expireAtIsoString: '2027-01-01T00:00:00.000Z' },
    lab: { labId: id, ...rest },
  };
}

function found<N extends keyof Records>(name: N, id: string): Records[N] {
  const record = read(name).find((one) => one.id === id);
  if (record === undefined) throw new Error(`There is no ${id} among the ${name}.`);
  return record;
}

export function verdictOn(name: AssumptionName, { verdicts }: Calibration): Verdict {
  const verdict = verdicts.find((one) => one.name === name);
  if (verdict === undefined) throw new Error(`There is no verdict on ${name}.`);
  return verdict;
}
