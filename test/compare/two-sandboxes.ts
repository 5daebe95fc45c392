import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { chooseOptions, type PartialOptions } from '../../src/assumptions.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { EarlierCalls } from '../../src/upstream/calibrate/earlier-calls.ts';
import { Pace } from '../../src/upstream/calibrate/pace.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { connect, maskOf, type Keys } from '../../src/upstream/calibrate/upstream.ts';
import { compare, type ComparePlan } from '../../src/upstream/compare/compare.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { Twin } from '../../src/upstream/compare/twin.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { knownRecords, withoutNetwork, writeSeed, type Change } from '../calibrate/second-sandbox.ts';

const beginning = Date.parse('2026-11-20T10:00:00.000Z');

const keys: Keys = {
  own: 'sbx_default_riverside',
  second: 'sbx_default_riverside_second',
  other: 'sbx_default_hillcrest',
};

const templates = {
  refusalTemplate: '{"code":"{{code}}","text":"{{message}}"}',
  gatewayTemplate: '{"Message":"{{message}}"}',
};

/** A sandbox in the place of the service, and the one that is compared with it. */
export interface TwoSandboxes {
  /** Compares the service with these options to the sandbox with those. */
  compared(
    service: PartialOptions,
    sandbox?: PartialOptions,
    plan?: Partial<ComparePlan>,
    change?: Change,
  ): Promise<DifferenceReport>;
}

/** Starts both for all tests of a file. */
export function twoSandboxes(): TwoSandboxes {
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
  const running: Running[] = [];
  beforeAll(async () => {
    writeSeed(folder);
    const channels = { out: () => {}, err: () => {}, owner: 'a test' };
    for (let started = 0; started < 2; started += 1)
      running.push(await startServer({ port: 0, seed: folder }, channels));
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    compared: async (serviceOptions, sandboxOptions = {}, more = {}, change = (_, reply) => reply) => {
      const [service, own] = running;
      if (service === undefined || own === undefined) throw new Error('They are not started yet.');
      await prepare(service, serviceOptions);
      await prepare(own, sandboxOptions);
      const { clock } = service.sandboxes.default;
      const time = {
        now: () => clock.now(),
        wait: (seconds: number) => {
          clock.advance(seconds);
          own.sandboxes.default.clock.advance(seconds);
          return Promise.resolve();
        },
      };
      const upstream = connect(service.url, keys, withoutNetwork(service, { change }));
      const { default: sandbox } = own.sandboxes;
      const school = sandbox.school('riverside');
      if (school === undefined) throw new Error('There is no such school.');
      const { checkSource } = own;
      const near = connect(own.url, keys, withoutNetwork(own, { hasOwnHeaders: true }));
      const twin = new Twin({ sandbox, school, checkSource, upstream: near });
      const plan: ComparePlan = {
        calls: [...exampleCalls(), ...mistakeCalls()],
        allowsWrites: true,
        known: knownRecords(),
        probes: { probes: probes.map((probe) => ({ probe, leftOut: null })), stamp: 'a-test' },
        exceedsLimits: true,
        pauseSeconds: 0,
        keys: { service: keys, sandbox: keys },
        ...more,
      };
      const earlierCalls = new EarlierCalls(twin.options, time.now);
      const pace = new Pace(upstream, time, 0, maskOf(keys), { earlierCalls });
      return compare(plan, { upstream, pace, twin, time, hosts: ['service.example', 'sandbox'] });
    },
  };
}

async function prepare({ sandboxes, checkSource }: Running, chosen: PartialOptions): Promise<void> {
  const { default: sandbox } = sandboxes;
  const options = chooseOptions('conventional', chosen);
  sandbox.clock.freeze(beginning);
  sandbox.choose(options, await checkSource.checksUnder(options), templates);
  sandbox.reset();
  sandbox.journal.clear();
}
