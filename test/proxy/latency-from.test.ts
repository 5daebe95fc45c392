import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { latencyOf } from '../../src/faults/latencies.ts';
import { readLatencies } from '../../src/store/read-latencies.ts';
import { startServer } from '../../src/server/server.ts';
import { temporaryFolder } from '../support/command.ts';

function reportWith(latencies: unknown): string {
  const path = join(temporaryFolder(), 'report.json');
  writeFileSync(path, JSON.stringify({ version: 1, latencies }));
  return path;
}

const measured = [{ operation: 'get-all-instructors', count: 9, p50Ms: 40, p99Ms: 90 }];

/** The latencies of the first calls of a sandbox. */
async function timesWith(randomSeed: number): Promise<readonly number[]> {
  const channels = { out: () => {}, err: () => {}, owner: 'a test' };
  const server = await startServer({ port: 0, randomSeed, latencyFrom: reportWith(measured) }, channels);
  const { default: sandbox } = server.sandboxes;
  const drawn = Array.from({ length: 400 }, () => latencyOf(sandbox.faults, 'get-all-instructors'));
  expect(latencyOf(sandbox.faults, 'get-quiz-details')).toBe(0);
  await server.stop();
  return drawn;
}

describe('latencies of a report', () => {
  it(
    'delay the calls of their operations: same seed, same times; half of them above the median',
    { tags: ['slow'] },
    async () => {
      const [one, again, other] = [await timesWith(1), await timesWith(1), await timesWith(2)];
      expect(again).toEqual(one);
      expect(other).not.toEqual(one);
      expect(one.filter((ms) => ms > 40).length / 400).toBeCloseTo(0.5, 0);
      expect(one.filter((ms) => ms > 90).length).toBeLessThan(20);
    },
  );

  it(
    'are no faults: the reply and the journal are those of any call, but later',
    { tags: ['slow'] },
    async () => {
      await using server = await startSandbox({ port: 0, latencyFrom: reportWith(measured) });
      const sandbox = await server.createSandbox({});
      const reply = await fetch(`${sandbox.baseUrl}/public/get-all-instructors`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'SERVICE-API-KEY': sandbox.apiKey('riverside') },
        body: '{"data":[{"data":{}}]}',
      });
      expect([reply.status, reply.headers.get('sandbox-fault')]).toEqual([200, null]);
      const [entry] = await sandbox.journal.list();
      expect(entry).toMatchObject({ outcome: 'ok', faults: [] });
      expect(entry?.durationMs).toBeGreaterThan(10);
    },
  );

  it.each([
    [undefined, 'has no latencies'],
    [[], 'has no latencies'],
    [
      [{ operation: 'nothing', p50Ms: 1, p99Ms: 2 }],
      '/latencies/0/operation must be the name of an operation',
    ],
    [[{ operation: 'get-quiz-details', p50Ms: 3, p99Ms: 2 }], '/latencies/0 must have "p50Ms" and "p99Ms"'],
    [[{ operation: 'get-quiz-details', p50Ms: -1, p99Ms: 2 }], '/latencies/0 must have "p50Ms" and "p99Ms"'],
    [[null], '/latencies/0/operation must be'],
  ])('must be usable: %j', (latencies, message) => {
    expect(() => readLatencies(reportWith(latencies))).toThrow(message);
  });

  it('are no folder', () => {
    const folder = temporaryFolder();
    expect(() => readLatencies(folder)).toThrow(
      `${folder} is a folder, but --latency-from needs a file: the JSON report of lp-sandbox proxy, or ${join(folder, 'record-latencies.json')} if`,
    );
  });

  it('must exist', () => {
    expect(() => readLatencies('no-report.json')).toThrow(
      'There is no file no-report.json for --latency-from.',
    );
  });
});
