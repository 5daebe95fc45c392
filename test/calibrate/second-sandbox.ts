import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  chooseOptions,
  type AssumptionName,
  type Options,
  type PartialOptions,
} from '../../src/assumptions.ts';
import { calibrate, type Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import type { Known } from '../../src/upstream/calibrate/known.ts';
import type { Probe } from '../../src/upstream/calibrate/probe.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { connect, type Keys } from '../../src/upstream/calibrate/upstream.ts';
import type { Verdict } from '../../src/upstream/calibrate/verdict.ts';
import { answer } from '../../src/answer/answer.ts';
import type { Held, Reply } from '../../src/answer/call.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import type { Records } from '../../src/index.ts';
import { startServer, type Running } from '../../src/server/server.ts';
import { fromWire } from '../../src/base/wire-text.ts';
import { coupon, instructors, labId, learner, quiz, schools } from '../support/demo.ts';

/** Where the time of each run begins. */
const beginning = Date.parse('2026-11-20T10:00:00.000Z');

/** A sandbox in the place of the real service: the demo school, with enough of everything for every probe. */
export interface SecondSandbox {
  readonly keys: Keys;
  readonly known: Known;
  /** A record as it is now. */
  record(collection: 'coupons' | 'labs', id: string): object | undefined;
  /** Finds out what the sandbox shows under some options. */
  calibrated(
    options: PartialOptions,
    more?: More,
  ): Promise<Calibration & { readonly options: ReturnType<typeof chooseOptions> }>;
}

interface More {
  readonly known?: Known;
  readonly keys?: Keys;
  readonly leftOut?: (probe: Probe) => string | null;
  readonly over?: 'http';
  /** How an earlier calibration has found that the service throttles. */
  readonly throttleReply?: Options['throttleReply'];
  /** Makes another reply of one. */
  readonly change?: Change;
  /** The keys of the sandbox behind other keys. */
  readonly keyFor?: ReadonlyMap<string, string>;
  /** Whether replies have the headers in which a sandbox tells of itself: no real service does that. */
  readonly hasOwnHeaders?: boolean;
}

export type Change = (sent: Request, reply: Response) => Response | Promise<Response>;

/** Starts one for all tests of a file; of another seed, where one is named. */
export function secondSandbox(seed?: string): SecondSandbox {
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-test-'));
  let running: Running | null = null;
  beforeAll(async () => {
    writeSeed(folder);
    running = await startServer(
      { port: 0, seed: seed ?? folder },
      { out: () => {}, err: () => {}, owner: 'a test' },
    );
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const started = (): Running => {
    if (running === null) throw new Error('It is not started yet.');
    return running;
  };
  const keys = {
    own: 'sbx_default_riverside',
    second: 'sbx_default_riverside_second',
    other: 'sbx_default_hillcrest',
  };
  const known = knownRecords();
  return {
    keys,
    known,
    record: (collection, id) => started().sandboxes.default.state.collection(collection).get(id),
    calibrated: async (chosen, more = {}) => {
      const { url, sandboxes, checkSource } = started();
      const { default: sandbox } = sandboxes;
      const options = chooseOptions('conventional', chosen);
      sandbox.clock.freeze(beginning);
      sandbox.choose(options, await checkSource.checksUnder(options), {
        refusalTemplate: '{"code":"{{code}}","text":"{{message}}"}',
        gatewayTemplate: '{"Message":"{{message}}"}',
      });
      sandbox.reset();
      sandbox.journal.clear();
      const time = {
        now: () => sandbox.clock.now(),
        wait: (seconds: number) => Promise.resolve(sandbox.clock.advance(seconds)),
      };
      const plan = {
        probes: probes.map((probe) => ({ probe, leftOut: more.leftOut?.(probe) ?? null })),
        known: more.known ?? known,
        keys: more.keys ?? keys,
        pauseSeconds: 0,
        stamp: 'a-test',
        throttleReply: more.throttleReply ?? null,
      };
      const upstream = connect(
        url,
        plan.keys,
        more.over === 'http' ? fetch : withoutNetwork(started(), more),
      );
      return { ...(await calibrate(plan, { upstream, time })), options };
    },
  };
}

/** The reply at the end of a call that is read, or run, in slices. */
async function afterPauses(answered: Reply | Held): Promise<Reply> {
  let reply = answered;
  while (!('status' in reply)) {
    const { wait, resume } = reply;
    await new Promise<void>((done) => void wait(done));
    reply = resume();
  }
  return reply;
}

/** `fetch` for calls of operations, without the way over the network, which takes most of the time. */
export function withoutNetwork(
  { sandboxes }: Running,
  { change = (_, reply) => reply, keyFor = new Map(), hasOwnHeaders = false }: More,
): typeof fetch {
  return async (input, init) => {
    const { pathname, origin } = new URL(input instanceof Request ? input.url : input);
    const operation = operationNames.find((name) => pathname === `/public/${name}`);
    if (!pathname.startsWith('/public/')) return fetch(input, init);
    // Only the HTTP layer knows pages of other origins.
    const isOfPage = new Headers(init?.headers).has('origin');
    if (operation === undefined || init?.method !== 'POST' || isOfPage)
      return change(new Request(input, init), await fetch(input, init));
    const headers = new Headers(init?.headers);
    const body = typeof init?.body === 'string' ? init.body : '';
    const call = {
      operation,
      body,
      bodyBytes: Buffer.byteLength(body),
      bodyCutOff: false,
      bodyShortage: null,
      invalidByte: null,
      query: '',
      header: (name: string) => keyFor.get(headers.get(name) ?? '') ?? headers.get(name) ?? undefined,
      headers: [...headers].flat(),
      trailers: [],
      authority: '',
      address: '127.0.0.1',
      port: 1,
      connection: { openedMs: 0, closedMs: null },
      pipelined: false,
      origin,
    };
    const reply = await afterPauses(answer(call, sandboxes, { observe: () => {}, defect: () => {} }));
    const sent = new Headers({ date: new Date(reply.at).toUTCString() });
    for (let at = 0; at < reply.headers.length; at += 2) {
      const name = reply.headers[at] ?? '';
      if (hasOwnHeaders || !name.startsWith('Sandbox-')) sent.append(name, reply.headers[at + 1] ?? '');
    }
    // For an empty text, Response would add a Content-Type.
    const made = new Response(fromWire(reply.body) || null, { status: reply.status, headers: sent });
    return change(new Request(input, { method: 'POST', headers, body }), made);
  };
}

/** The demo seed, with a second key for its school and enough presets for two pages of the usual size. */
export function writeSeed(folder: string): void {
  cpSync('fixtures/demo', folder, { recursive: true });
  change<'schools'>(folder, 'schools', (all) => all.map((school) => ({ ...school, keyLabels: ['second'] })));
  change<'instructors'>(folder, 'instructors', (all) =>
    all.map((instructor) =>
      instructor.id === instructors.riverside.id ? { ...instructor, tagline: '' } : instructor,
    ),
  );
  change<'permissionPresets'>(folder, 'permissionPresets', (all) => [
    ...all,
    ...Array.from(
      { length: 20 },
      (_, number) =>
        ({ ...all[0], id: `preset-${number}`, schoolId: schools.riverside }) as (typeof all)[number],
    ),
  ]);
}

function change<N extends keyof Records>(
  folder: string,
  name: N,
  changed: (all: readonly Records[N][]) => readonly Records[N][],
): void {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(changed(read(name))));
}

function read<N extends keyof Records>(name: N): readonly Records[N][] {
  return JSON.parse(readFileSync(`fixtures/demo/${name}.json`, 'utf8')) as readonly Records[N][];
}

export function knownRecords(): Known {
  const {
    id: serviceCouponCodeId,
    productId: serviceDigitalProductId,
    schoolId: _school,
    ...terms
  } = found('coupons', coupon.id);
  const { id, schoolId: _owner, ...rest } = found('labs', labId);
  return {
    quizId: quiz.id,
    courseItemId: quiz.itemId,
    userId: learner.id,
    userEmail: learner.email,
    coupon: {
      serviceCouponCodeId,
      serviceDigitalProductId,
      ...terms,
      expireAtIsoString: '2027-01-01T00:00:00.000Z',
    },
    lab: { labId: id, ...rest },
  };
}

function found<N extends keyof Records>(name: N, id: string): Records[N] {
  const record = read(name).find((one) => one.id === id);
  if (record === undefined) throw new Error(`There is no ${id} among the ${name}.`);
  return record;
}

export function verdictOn(name: AssumptionName, { verdicts }: Pick<Calibration, 'verdicts'>): Verdict {
  const verdict = verdicts.find((one) => one.name === name);
  if (verdict === undefined) throw new Error(`There is no verdict on ${name}.`);
  return verdict;
}
