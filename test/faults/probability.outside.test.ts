import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/operation-types.ts';
import { startSandbox, type NewFaultRule, type SandboxHandle, type SandboxServer } from '../../src/index.ts';
import { send as sendJson } from '../support/send.ts';

/** Without limits, so that nothing but chance decides what becomes of a call. */
let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0, limits: null });
});
afterAll(() => server.close());

const operations = [
  'get-quiz-details',
  'list-assignments',
  'get-video-library',
  'create-instructor-account',
] as const;
const often = {
  id: 'often',
  fault: 'http-error',
  when: { probability: 0.5 },
} as const satisfies NewFaultRule;

interface Plan {
  readonly rules?: readonly NewFaultRule[];
  readonly randomSeed?: number;
  /** The operations that are called, in this order. */
  readonly calls: readonly OperationName[];
  /** Whether each call waits for the reply to the one before. */
  readonly manner?: 'one by one' | 'all at once';
}

async function sandboxWith({
  rules = [often],
  randomSeed = 7,
}: Pick<Plan, 'rules' | 'randomSeed'>): Promise<SandboxHandle> {
  const sandbox = await server.createSandbox({ randomSeed });
  for (const rule of rules) await sandbox.faults.add(rule);
  return sandbox;
}

/** Sends a call. What becomes of it is in the journal, so that a broken reply does no harm. */
async function send(sandbox: SandboxHandle, operation: string, header?: string): Promise<void> {
  const headers = {
    'SERVICE-API-KEY': sandbox.apiKey('riverside'),
    ...(header === undefined ? {} : { 'Sandbox-Fault': header }),
  };
  await sendJson(`${server.url}/public/${operation}`, headers, { data: [{ data: {} }] });
}

/**
 * Which calls of an operation were hit, in the order in which they came: by an x, or by the rule of that
 * name.
 */
async function sequence({ journal }: SandboxHandle, operation: OperationName): Promise<string> {
  const entries = await journal.list({ operation });
  const signs = entries.map(({ faults: [hit] }) => {
    if (hit === undefined) return '.';
    return hit.rule === 'often' ? 'x' : `(${hit.rule})`;
  });
  return signs.join('');
}

/**
 * Carries out a plan in a sandbox of its own: what hit the calls of each operation, in the order in which
 * they came.
 */
async function sequences({
  calls,
  manner = 'one by one',
  ...setting
}: Plan): Promise<Readonly<Record<string, string>>> {
  const sandbox = await sandboxWith(setting);
  if (manner === 'all at once') await Promise.all(calls.map((operation) => send(sandbox, operation)));
  else for (const operation of calls) await send(sandbox, operation);
  const called = operations.filter((operation) => calls.includes(operation));
  return Object.fromEntries(
    await Promise.all(
      called.map(async (operation) => [operation, await sequence(sandbox, operation)] as const),
    ),
  );
}

function repeated(operation: OperationName, count: number): readonly OperationName[] {
  return Array.from({ length: count }, () => operation);
}

/** 15 to 24 calls of each operation, one operation after another. */
const calls = operations.flatMap((operation, index) => repeated(operation, 15 + 3 * index));

let usual: Promise<Readonly<Record<string, string>>> | undefined;
/**
 * What hits these calls one by one. That it is the same each time is what tests below find out, by sequences
 * of their own.
 */
function usualSequences(): Promise<Readonly<Record<string, string>>> {
  return (usual ??= sequences({ calls }));
}

describe('the chance of a rule', () => {
  it.each([
    ['0 never hits', 0, '.'],
    ['1 always hits', 1, 'x'],
  ])('%s', async (_, probability, expected) => {
    const hits = await sequences({
      rules: [{ ...often, when: { probability } }],
      calls,
      manner: 'all at once',
    });
    expect(Object.values(hits)).toEqual([15, 18, 21, 24].map((count) => expected.repeat(count)));
  });

  it.each([
    [0.1, 15, 65],
    [0.5, 150, 250],
    [0.9, 335, 385],
  ])('%d hits about so many of 400 calls', async (probability, least, most) => {
    const rules = [{ ...often, when: { probability } }];
    const hits = await sequences({
      rules,
      calls: operations.flatMap((operation) => repeated(operation, 100)),
      manner: 'all at once',
    });
    const count = Object.values(hits).join('').replaceAll('.', '').length;
    expect(count).toBeGreaterThan(least);
    expect(count).toBeLessThan(most);
  });

  it('hits neither the same calls of each operation nor one call like the one before', async () => {
    const hits = await sequences({ calls: operations.flatMap((operation) => repeated(operation, 30)) });
    expect(new Set(Object.values(hits)).size).toBe(operations.length);
    for (const hit of Object.values(hits))
      for (const pair of ['xx', 'x.', '.x', '..']) expect(hit).toContain(pair);
  });

  it('that is higher hits the same calls and more', async () => {
    let before: readonly string[] = [];
    for (const probability of [0.2, 0.5, 0.8]) {
      const rules = [{ ...often, when: { probability } }];
      const { 'list-assignments': seen = '' } = await sequences({
        rules,
        calls: repeated('list-assignments', 60),
      });
      for (const [call, hit] of before.entries()) if (hit === 'x') expect(seen[call]).toBe('x');
      before = seen.split('');
    }
  });
});

describe('the same random seed gives the same faults per operation', () => {
  const shuffled = fc.shuffledSubarray([...calls], { minLength: calls.length, maxLength: calls.length });

  it.each(['one by one', 'all at once'] as const)('however calls that come %s interleave', async (manner) => {
    const expected = await usualSequences();
    expect(Object.values(expected).map(({ length }) => length)).toEqual([15, 18, 21, 24]);
    await fc.assert(
      fc.asyncProperty(shuffled, async (order) => {
        expect(await sequences({ calls: order, manner })).toEqual(expected);
      }),
      { numRuns: 3, seed: 3 },
    );
  });

  it('whatever number of calls to other operations comes between', async () => {
    const expected = await usualSequences();
    for (const operation of operations) {
      const alone = await sequences({ calls: calls.filter((name) => name === operation) });
      expect(alone).toEqual({ [operation]: expected[operation] });
    }
  });

  it('when the sandbox starts anew', async () => {
    const sandbox = await sandboxWith({});
    const runs: string[] = [];
    for (const run of [1, 2]) {
      for (const operation of repeated('list-assignments', 20)) await send(sandbox, operation);
      runs.push((await sequence(sandbox, 'list-assignments')).slice(20 * (run - 1)));
      await sandbox.reset();
      await sandbox.faults.add(often);
    }
    expect(runs[1]).toBe(runs[0]);
  });

  it('however many calls between ask for faults themselves: the rule does not see those', async () => {
    const [expected = ''] = Object.values(await sequences({ calls: repeated('list-assignments', 20) }));
    const sandbox = await sandboxWith({});
    for (const _ of repeated('list-assignments', 20)) {
      await send(sandbox, 'list-assignments', 'throttled');
      await send(sandbox, 'list-assignments');
    }
    const seen = await sequence(sandbox, 'list-assignments');
    expect(seen.replaceAll('(null)', '')).toBe(expected);
  });
});

describe('another random seed', () => {
  it('gives other faults', async () => {
    const all: Awaited<ReturnType<typeof sequences>>[] = [];
    for (const randomSeed of [1, 2, 3]) all.push(await sequences({ randomSeed, calls }));
    for (const operation of operations) expect(new Set(all.map((hits) => hits[operation])).size).toBe(3);
  });
});

/**
 * Holds what a rule hit beside others against what it hits alone, but for the calls that others hit before.
 */
function expectAsAlone(alone: string, seen: string): void {
  const places = seen.match(/\([^)]+\)|./g) ?? [];
  expect(places).toHaveLength(alone.length);
  expect(places.map((place, call) => (place.startsWith('(') ? alone[call] : place)).join('')).toBe(alone);
}

describe('a rule beside it changes nothing of what a rule hits', () => {
  it.each<readonly [beside: string, rules: readonly NewFaultRule[]]>([
    ['behind it', [often, { id: 'other', fault: 'throttled', when: { probability: 0.5 } }]],
    ['before it, by chance', [{ id: 'other', fault: 'throttled', when: { probability: 0.5 } }, often]],
    ['before it, by count', [{ id: 'other', fault: 'throttled', when: { skip: 2, every: 3 } }, often]],
    [
      'before it, for another school',
      [{ id: 'other', fault: 'throttled', match: { school: 'hillcrest' } }, often],
    ],
    [
      'on both sides',
      [
        { id: 'a', fault: 'throttled', when: { every: 5 } },
        often,
        { id: 'b', fault: 'output-error', when: { every: 2 } },
      ],
    ],
  ])('%s', async (_, rules) => {
    const alone = await usualSequences();
    const seen = await sequences({ rules, calls });
    for (const operation of operations) expectAsAlone(alone[operation] ?? '', seen[operation] ?? '');
  });

  it('has chances of its own', async () => {
    const rules = [often, { ...often, id: 'other' }];
    const both = await sequences({ rules, calls: repeated('list-assignments', 60) });
    // Rules that shared their chances would leave the second nothing to hit, or all.
    const seen = both['list-assignments'] ?? '';
    expect(seen).toContain('(other)');
    expect(seen).toContain('.');
  });
});

/** Returns the delay of each of `count` calls, in order of arrival, in whole seconds, rounded up. */
async function lengths(
  count: number,
  parameters: NonNullable<NewFaultRule['with']>,
  randomSeed: number,
): Promise<readonly number[]> {
  const rule = { id: 'slow', fault: 'delay', with: parameters } as const;
  const sandbox = await server.createSandbox({ randomSeed, clock: { mode: 'frozen' } });
  await sandbox.faults.add(rule);
  const replies = repeated('list-assignments', count).map((operation) => send(sandbox, operation));
  while ((await sandbox.faults.list()).some(({ fired }) => fired < count)) await nextTurn();
  const ended = new Map<number, number>();
  for (let seconds = 1; ended.size < count; seconds += 1) {
    await sandbox.clock.advance({ seconds: 1 });
    if ((await sandbox.describe()).exchanges === ended.size) continue;
    // Calls are numbered in the order in which they come, and are in the journal in the order in which they
    // are answered.
    for (const { requestId } of await sandbox.journal.list()) {
      const number = Number(requestId.split('-').at(-1));
      if (!ended.has(number)) ended.set(number, seconds);
    }
  }
  await Promise.all(replies);
  return [...ended].toSorted(([one], [other]) => one - other).map(([, seconds]) => seconds);
}

describe('the length of a delay by chance', () => {
  it.each([
    { min: 60_000, max: 600_000 },
    { p50: 60_000, p99: 300_000 },
  ])(
    'from a rule with %j is the same for the same random seed, and another for another',
    async (parameters) => {
      const one = await lengths(15, parameters, 7);
      expect(await lengths(15, parameters, 7)).toEqual(one);
      expect(await lengths(15, parameters, 8)).not.toEqual(one);
      expect(new Set(one).size).toBeGreaterThan(8);
    },
  );
});
