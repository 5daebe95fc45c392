import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { supertest } from './supertest.ts';

/** What the clients know. */
export interface Known {
  readonly sent: Map<string, Set<string>>;
  readonly acknowledged: Map<string, Set<string>>;
  /** In the order of the replies. */
  readonly requestIds: Set<string>;
  readonly duplicateIds: string[];
  readonly refused: string[];
  acknowledgedCalls: number;
}

/** What clients know that have sent nothing yet, of the sandboxes `s0`, `s1` and so on. */
export function knowing(sandboxes: number): Known {
  const names = Array.from({ length: sandboxes }, (_, index) => `s${index}`);
  return {
    sent: new Map(names.map((name) => [name, new Set()])),
    acknowledged: new Map(names.map((name) => [name, new Set()])),
    requestIds: new Set(),
    duplicateIds: [],
    refused: [],
    acknowledgedCalls: 0,
  };
}

/** Starts a client process, which writes to the end of the test. */
export function startClient(
  number: number,
  port: number,
  known: Known,
  place?: 'balanced',
): () => Promise<void> {
  const program = fileURLToPath(new URL('crash-client.ts', import.meta.url));
  const words = [
    '--import',
    'tsx',
    program,
    String(number),
    String(port),
    String(known.sent.size),
    ...(place === undefined ? [] : [place]),
  ];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, sandbox = '', ...rest] = line.split(' ');
    if (word === 'sent') for (const one of rest) known.sent.get(sandbox)?.add(one);
    if (word !== 'acknowledged' && word !== 'refused') return;
    const [id = '', ...addresses] = rest;
    if (known.requestIds.has(id)) known.duplicateIds.push(id);
    known.requestIds.add(id);
    if (word === 'refused') return void known.refused.push(line);
    known.acknowledgedCalls += 1;
    for (const one of addresses) known.acknowledged.get(sandbox)?.add(one);
  });
  const ended = new Promise<void>((done) => void child.once('close', () => done()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  return stop;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => void setTimeout(done, milliseconds));

/** The batches of three of which some, but not all, are stored. */
export function incompleteBatches(stored: ReadonlySet<string>): readonly string[] {
  return [...stored].filter((email) => {
    const [, client, number] = /^c(\d)-(\d+)-/.exec(email) ?? [];
    if (Number(number) % 2 === 1) return false;
    return [0, 1, 2].some((index) => !stored.has(`c${client}-${number}-${index}@crash.example`));
  });
}

/** The addresses that the client wrote into a sandbox. */
export async function storedIn(url: string, sandbox: string): Promise<readonly string[]> {
  const { body } = await supertest(url).get(`/control/sandboxes/${sandbox}/state`).expect(200);
  const { collections } = body as { collections: Readonly<Record<string, readonly { email?: string }[]>> };
  return (collections['instructors'] ?? [])
    .map(({ email = '' }) => email)
    .filter((email) => email.endsWith('@crash.example'));
}

/** The numbers of the request ids of a sandbox that are not higher than the one before. */
export function numbersNotHigher({ requestIds }: Known, sandbox: string): readonly number[] {
  const own = [...requestIds].filter((id) => id.startsWith(`${sandbox}-`));
  const numbers = own.map((id) => Number(id.slice(sandbox.length + 1)));
  return numbers.filter((number, at) => number <= (numbers[at - 1] ?? 0));
}
