import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { coupon, quiz } from '../support/demo.ts';
import { metricsOf } from '../support/metrics.ts';

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0 });
});
afterAll(() => server.close());

async function call(
  operation: string,
  parameters: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const key = { 'SERVICE-API-KEY': server.default.apiKey('riverside'), 'Content-Type': 'application/json' };
  const body = JSON.stringify({ data: [{ data: parameters }] });
  const reply = await fetch(`${server.url}/public/${operation}`, {
    method: 'POST',
    headers: { ...key, ...headers },
    body,
  });
  await reply.arrayBuffer();
}

const metrics = (): Promise<ReadonlyMap<string, number>> => metricsOf(server.url);

describe('/metrics', () => {
  it('is text that Prometheus reads, before the first call too', async () => {
    const reply = await fetch(`${server.url}/metrics`);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await reply.text()).toContain('# TYPE lp_sandbox_call_seconds histogram');
  });

  it('has only metrics that docs/server.md explains, and all of them', async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const documented = readFileSync('docs/server.md', 'utf8').matchAll(/^\| `(lp_sandbox_\w+)`/gm);
    expect([...documented].map(([, name]) => name)).toEqual(
      [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
    );
  });

  it('counts calls by operation and outcome, faults by name, and refusals by kind, whoever was refused', async () => {
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', { quizId: 'unknown' });
    await call('get-quiz-details', { quizId: quiz.id }, { 'Sandbox-Fault': 'http-error; status=503' });
    await call('list-assignments', {}, { 'SERVICE-API-KEY': 'nobody' });
    const counted = await metrics();
    expect(counted.get('lp_sandbox_calls_total{operation="get-quiz-details",outcome="ok"}')).toBe(2);
    expect(counted.get('lp_sandbox_calls_total{operation="get-quiz-details",outcome="element-error"}')).toBe(
      1,
    );
    expect(counted.get('lp_sandbox_calls_total{operation="get-quiz-details",outcome="fault"}')).toBe(1);
    expect(counted.get('lp_sandbox_faults_total{fault="http-error"}')).toBe(1);
    expect(counted.get('lp_sandbox_refusals_total{kind="invalid-key"}')).toBe(1);
    expect(counted.get('lp_sandbox_refusals_total{kind="fault"}')).toBeUndefined();
  });

  it('tells how long calls took, each in every bucket that it is not too long for', async () => {
    const counted = await metrics();
    const buckets = [...counted]
      .filter(([name]) => /_bucket\{.*get-quiz-details/.test(name))
      .map(([, value]) => value);
    expect(buckets).toHaveLength(13);
    expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
    const total = counted.get('lp_sandbox_call_seconds_count{operation="get-quiz-details"}');
    expect([buckets.at(-1), total]).toEqual([4, 4]);
    expect(counted.get('lp_sandbox_call_seconds_sum{operation="get-quiz-details"}')).toBeGreaterThan(0);
  });

  it('tells how many sandboxes there are, and how much differs from their seeds', async () => {
    const before = await metrics();
    const sandbox = await server.createSandbox();
    await sandbox.state.patch('coupons', coupon.id, { description: 'x'.repeat(1000) });
    const after = await metrics();
    expect((after.get('lp_sandbox_sandboxes') ?? 0) - (before.get('lp_sandbox_sandboxes') ?? 0)).toBe(1);
    expect(
      (after.get('lp_sandbox_state_bytes') ?? 0) - (before.get('lp_sandbox_state_bytes') ?? 0),
    ).toBeGreaterThan(1000);
  });
});
