import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

const kills = 10;
const sandboxes = 4;

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

/** What the client knows. */
interface Known {
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
  /** The numbers of the request ids of each sandbox, in the order of the replies. */
  readonly numbers: Map<string, number[]>;
  readonly refused: string[];
}

/** Starts a client process, which writes until it is stopped. */
function startClient(port: number, known: Known): () => Promise<void> {
  const program = fileURLToPath(new URL('../support/crash-client.ts', import.meta.url));
  const words = ['--import', 'tsx', program, '1', String(port), String(sandboxes)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, sandbox = '', ...rest] = line.split(' ');
    if (word === 'sent') for (const one of rest) known.sent.add(`${sandbox} ${one}`);
    if (word === 'refused') known.refused.push(line);
    if (word !== 'acknowledged') return;
    const [id = '', ...addresses] = rest;
    for (const one of addresses) known.acknowledged.add(`${sandbox} ${one}`);
    const numbers = known.numbers.get(sandbox) ?? [];
    known.numbers.set(sandbox, numbers);
    numbers.push(Number(id.slice(id.lastIndexOf('-') + 1)));
  });
  const ended = new Promise<void>((done) => void child.once('close', () => done()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  return stop;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => void setTimeout(done, milliseconds));

/** The addresses that the tests wrote, of all sandboxes. */
async function storedIn({ url }: Program): Promise<readonly string[]> {
  const stored: string[] = [];
  for (let number = 0; number < sandboxes; number += 1) {
    const { body } = await supertest(url).get(`/control/sandboxes/s${number}/state`).expect(200);
    const { collections } = body as { collections: Readonly<Record<string, readonly { email?: string }[]>> };
    for (const { email = '' } of collections['instructors'] ?? [])
      if (email.endsWith('@crash.example')) stored.push(`s${number} ${email}`);
  }
  return stored;
}

/** The batches of three of which some, but not all, are stored. */
function incompleteBatches(stored: ReadonlySet<string>): readonly string[] {
  return [...stored].filter((one) => {
    const [, call = '', number] = /^(s\d c\d-(\d+))-/.exec(one) ?? [];
    return Number(number) % 2 === 0 && [0, 1, 2].some((at) => !stored.has(`${call}-${at}@crash.example`));
  });
}

describe('a server with a database under load', () => {
  it(
    `loses no acknowledged change, has no part of a batch, and issues only higher request ids in ${kills} kills`,
    { timeout: 300_000 },
    async () => {
      const data = await postgres.database();
      const port = await unassignedPort();
      const start = (): Promise<Program> =>
        startProgram(['--port', String(port), '--data', data, '--limits', 'off']);
      let program = await start();
      onTestFinished(async () => void (await program.stop('SIGKILL')));
      const known: Known = { sent: new Set(), acknowledged: new Set(), numbers: new Map(), refused: [] };
      for (let number = 0; number < sandboxes; number += 1)
        await supertest(program.url)
          .post('/control/sandboxes')
          .send({ id: `s${number}` })
          .expect(201);
      const stop = startClient(port, known);
      for (let kill = 0; kill < kills; kill += 1) {
        const before = known.acknowledged.size;
        await expect.poll(() => known.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 50);
        await pause(Math.random() * 300);
        await program.stop('SIGKILL');
        program = await start();
      }
      await pause(300);
      await stop();

      const stored = await storedIn(program);
      const all = new Set(stored);
      expect(known.refused).toEqual([]);
      expect([...known.acknowledged].filter((one) => !all.has(one))).toEqual([]);
      expect(stored).toHaveLength(all.size);
      expect(stored.filter((one) => !known.sent.has(one))).toEqual([]);
      expect(incompleteBatches(all)).toEqual([]);
      for (const numbers of known.numbers.values())
        expect(numbers.filter((number, at) => number <= (numbers[at - 1] ?? 0))).toEqual([]);
      process.stdout.write(`${known.acknowledged.size} changes acknowledged in ${kills + 1} runs\n`);
    },
  );
});
