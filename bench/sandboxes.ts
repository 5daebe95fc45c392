/**
 * Measures a thousand sandboxes. It runs in a separate process, with `--expose-gc`, so that nothing else is
 * counted.
 */
import { startSandbox } from '../src/index.ts';

const count = 1000;

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function firstCall(url: string, key: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'SERVICE-API-KEY': key };
  const response = await fetch(`${url}/public/get-all-live-events`, {
    method: 'POST',
    headers,
    body: '{"data":[{"data":{}}]}',
  });
  await response.arrayBuffer();
}

await using server = await startSandbox({ port: 0 });
await firstCall(server.url, server.default.apiKey('riverside'));
const made = await server.createSandbox({ id: 'warm-up' });
await firstCall(server.url, made.apiKey('riverside'));
const before = heapBytes();
const times: number[] = [];
for (let number = 0; number < count; number += 1) {
  const started = performance.now();
  await server.createSandbox({ id: `bench-${number}` });
  times.push(performance.now() - started);
}
const created = heapBytes();
for (let number = 0; number < count; number += 1)
  await firstCall(server.url, `sbx_bench-${number}_riverside`);
const called = heapBytes();
const sorted = times.toSorted((one, other) => one - other);
const at = (share: number): number => sorted[Math.floor(share * (count - 1))] ?? Number.NaN;
process.stdout.write(
  JSON.stringify({
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    bytesEach: Math.round((created - before) / count),
    bytesEachAfterACall: Math.round((called - before) / count),
  }),
);
