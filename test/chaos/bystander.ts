/**
 * A client that harms nobody, in a process of its own. It learns the answer to each of its calls while the
 * server is quiet, then repeats the calls at a fixed pace, and expects the same answers. It talks to its
 * parent by messages.
 */
import { Agent, request } from 'node:http';
import process from 'node:process';

/** What the bystander is asked to do. */
export interface BystanderOrder {
  readonly port: number;
  readonly key: string;
  readonly everyMs: number;
  /** How many connections it may have. All are opened while the server is quiet only if it is one. */
  readonly connections: number;
  readonly calls: readonly { readonly operation: string; readonly body: string }[];
}

/** What the bystander saw. Times in milliseconds. */
export interface BystanderResult {
  readonly calls: number;
  readonly failures: readonly string[];
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const maxListed = 5;
/** A server that is stuck must not pile up calls without end. */
const maxUnanswered = 400;
const timeoutMs = 60_000;
const agent = new Agent({ keepAlive: true });

function send(
  { port, key }: BystanderOrder,
  { operation, body }: BystanderOrder['calls'][number],
): Promise<string> {
  return new Promise((done) => {
    const headers = {
      'SERVICE-API-KEY': key,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const path = `/public/${operation}`;
    const sent = request(
      { agent, host: '127.0.0.1', port, method: 'POST', path, headers, timeout: timeoutMs },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done(`${response.statusCode} ${text}`));
        response.on('error', (error) => done(`error: ${error.message}`));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
    sent.on('error', (error) => done(`error: ${error.message}`));
    sent.end(body);
  });
}

async function learn(order: BystanderOrder): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const call of order.calls) {
    await send(order, call);
    const answer = await send(order, call);
    if (!answer.startsWith('200 [{"output":{"status":"ok"'))
      throw new Error(`${call.operation} does not succeed: ${answer.slice(0, 300)}`);
    answers.push(answer);
  }
  return answers;
}

function watch(order: BystanderOrder, expected: readonly string[]): () => Promise<BystanderResult> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let failed = 0;
  const callOnce = async (number: number): Promise<void> => {
    const place = number % order.calls.length;
    const chosen = order.calls[place];
    if (chosen === undefined) return;
    const began = performance.now();
    const answer = await send(order, chosen);
    latencies.push(performance.now() - began);
    if (answer === expected[place]) return;
    failed += 1;
    if (failures.length < maxListed)
      failures.push(
        `${chosen.operation} after ${Math.round(performance.now() - began)} ms: ${answer.slice(0, 300)}`,
      );
  };
  let number = 0;
  const timer = setInterval(() => {
    if (open.size >= maxUnanswered) return;
    const running = callOnce((number += 1)).finally(() => open.delete(running));
    open.add(running);
  }, order.everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    const sorted = latencies.toSorted((one, other) => one - other);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { calls: latencies.length, failures, failed, p50: at(0.5), p99: at(0.99), max: at(1) };
  };
}

let finish: (() => Promise<BystanderResult>) | null = null;

async function obey(message: BystanderOrder | 'finish'): Promise<void> {
  if (message === 'finish') {
    process.send?.({ result: await finish?.() });
    process.disconnect();
    agent.destroy();
    return;
  }
  try {
    agent.maxSockets = message.connections;
    finish = watch(message, await learn(message));
    process.send?.({ ready: true });
  } catch (error) {
    process.send?.({ failed: String(error) });
    process.disconnect();
  }
}

// The parent sends nothing else.
process.on('message', (message) => void obey(message as BystanderOrder | 'finish'));
