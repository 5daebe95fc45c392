/**
 * How fast the sandbox is, beside a bare `node:http` server in the same run. `npm run bench`; `-- --quick`
 * for a shorter look.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { library } from './library.ts';
import { load, type Measured } from './load.ts';
import { measureOperations, median } from './operations.ts';
import { pinTheLoad } from './pinned.ts';
import { startServer, type Started } from './servers.ts';
import { writeLargeState, writeSandboxes } from './state.ts';

const quick = process.argv.includes('--quick');
const rounds = quick ? 2 : 5;
const roundMs = quick ? 1000 : 3000;
const connections = 16;

const calls = {
  read: {
    path: '/public/get-quiz-details',
    body: '{"data":[{"data":{"quizId":"9d5afed5df87086d04584dbf"}}]}',
  },
  list: { path: '/public/get-all-instructors', body: '{"data":[{"data":{}}]}' },
  write: {
    path: '/public/update-digital-product-coupon',
    body: '{"data":[{"data":{"serviceCouponCodeId":"5bb6bf98e3b6a0f3c19b07c3","serviceDigitalProductId":"e14eab51f0b9dee5b286f9ec","serviceDigitalProductCouponSlug":"early-bird","description":"For the early ones","expireAtIsoString":"2027-01-01T00:00:00.000Z","shouldApplyAutomatically":false,"numberOfRedemptionsAllowed":50,"couponTypeData":{"type":"percent-off","percentOff":20}}}]}',
  },
} as const;

const sandboxArguments = ['dist/bundle/main.js', '--port', '0', '--limits', '1000000000'];
const bareArguments = ['--import', 'tsx', 'bench/bare-server.ts'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;

function medianOf(measured: readonly Measured[], figure: keyof Measured): number {
  return median(measured.map((one) => one[figure]));
}

/** `stored` is a server with `--data`. */
async function throughput(sandbox: Started, stored: Started, bare: Started): Promise<void> {
  say(
    `\n${connections} connections, ${rounds} rounds of ${roundMs / 1000} s in turn, medians; Node ${process.version}; ${isPinned ? 'the server alone on one processor' : 'nothing pinned'}\n`,
  );
  say('| call | sandbox, per second | p50 | p99 | bare node:http, per second | p99 | ratio |');
  say('| --- | --- | --- | --- | --- | --- | --- |');
  const rows = [
    ...Object.entries(calls).map(([name, call]) => [name, call, sandbox] as const),
    ...Object.entries(calls).map(([name, call]) => [`${name}, with \`--data\``, call, stored] as const),
  ];
  for (const [name, call, server] of rows) {
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (const { port } of [server, bare]) await load({ ...call, port }, connections, 1000);
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await load({ ...call, port: server.port }, connections, roundMs));
      theirs.push(await load({ ...call, port: bare.port }, connections, roundMs));
    }
    const ratio = median(
      ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN)),
    );
    const row = [
      name,
      medianOf(ours, 'perSecond').toFixed(0),
      milliseconds(medianOf(ours, 'p50')),
      milliseconds(medianOf(ours, 'p99')),
    ];
    say(
      `| ${[...row, medianOf(theirs, 'perSecond').toFixed(0), milliseconds(medianOf(theirs, 'p99')), ratio.toFixed(2)].join(' | ')} |`,
    );
  }
}

async function allOperations(sandbox: Started, bare: Started): Promise<void> {
  say('\nAll operations. CPU is the processor time of the sandbox for a call, p99 and p99.9 in ms:\n');
  say(
    '| operation | body | sandbox, per second | p99 | p99.9 | CPU | bare, per second | p99 | ratio | p99 ratio |',
  );
  say('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  await measureOperations(
    { sandbox, bare },
    { connections, rounds: quick ? 2 : 3, roundMs: quick ? 500 : 1500 },
    {
      onRow: ({ operation, what, ours, bare: theirs, ratio, p99Ratio }) => {
        const cpu =
          ours.microsecondsEach === null ? 'not told here' : `${ours.microsecondsEach.toFixed(0)} µs`;
        const figures = [ours.perSecond.toFixed(0), ours.p99.toFixed(2), ours.p999.toFixed(1), cpu];
        const bares = [theirs.perSecond.toFixed(0), theirs.p99.toFixed(2)];
        say(
          `| ${[operation, what, ...figures, ...bares, ratio.toFixed(2), p99Ratio.toFixed(1)].join(' | ')} |`,
        );
      },
    },
  );
}

async function starting(): Promise<void> {
  const times: Record<'sandbox' | 'bare', number[]> = { sandbox: [], bare: [] };
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    for (const [name, args] of [
      ['sandbox', sandboxArguments],
      ['bare', ['bench/bare-start.mjs']],
    ] as const) {
      const server = await startServer(args, calls.read);
      times[name].push(server.firstAnswerMs);
      await server.stop();
    }
  }
  const [ours, theirs] = [median(times.sandbox), median(times.bare)];
  say(
    `\nFrom the start of the process to the first good answer: ${ours.toFixed(0)} ms; bare node:http ${theirs.toFixed(0)} ms; ratio ${(ours / theirs).toFixed(2)}`,
  );
}

async function mutations(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-bench-'));
  say('\nA write with `--data`, one connection, while so much differs from the seed:\n');
  say('| state | p50 | p99 | worst | peak memory |');
  say('| --- | --- | --- | --- | --- |');
  for (const megabytes of [1, 10, 50]) {
    const file = join(folder, `state-${megabytes}.json`);
    await writeLargeState(file, megabytes);
    const server = await startServer([...sandboxArguments, '--data', file], calls.write);
    await load({ ...calls.write, port: server.port }, 1, 500);
    const { p50, p99, worst } = await load({ ...calls.write, port: server.port }, 1, roundMs);
    say(
      `| ${megabytes} MB | ${milliseconds(p50)} | ${milliseconds(p99)} | ${milliseconds(worst)} | ${megabytesOf(server.peakMemory())} |`,
    );
    await server.stop();
  }
  rmSync(folder, { recursive: true });
}

/** Measures the start with 1, 100 and 5,000 stored sandboxes, each with one changed record. */
async function startingWithSandboxes(): Promise<void> {
  say('\nThe start with stored sandboxes, and then the first call of one of them:\n');
  say('| sandboxes | first answer | first call of another one |');
  say('| --- | --- | --- |');
  for (const count of [1, 100, 5000]) {
    const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-bench-'));
    await writeSandboxes(folder, count);
    const starts: number[] = [];
    const firsts: number[] = [];
    for (let round = 0; round < (quick ? 3 : 9); round += 1) {
      const server = await startServer(
        [...sandboxArguments, '--data', folder, '--max-sandboxes', '10000'],
        calls.read,
      );
      starts.push(server.firstAnswerMs);
      const before = performance.now();
      await load({ ...calls.read, port: server.port, key: `sbx_s${count - 1}_riverside` }, 1, 1);
      firsts.push(performance.now() - before);
      await server.stop();
    }
    say(`| ${count} | ${median(starts).toFixed(0)} ms | ${median(firsts).toFixed(0)} ms |`);
    rmSync(folder, { recursive: true });
  }
}

/** In a separate process, because all its memory is counted. */
function sandboxesByTheThousand(): void {
  const told = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', 'bench/sandboxes.ts'], {
    encoding: 'utf8',
  });
  // The output of bench/sandboxes.ts.
  const { p50, p99, worst, bytesEach, bytesEachAfterACall } = JSON.parse(told) as Readonly<
    Record<string, number>
  >;
  const times = `p50 ${milliseconds(p50 ?? 0)}, p99 ${milliseconds(p99 ?? 0)}, worst ${milliseconds(worst ?? 0)}`;
  say(
    `\nA new sandbox, of 1,000: ${times}; ${bytesEach} bytes of heap each, ${bytesEachAfterACall} after its first call.`,
  );
}

function megabytesOf(bytes: number | null): string {
  return bytes === null ? 'not told here' : `${(bytes / 1_000_000).toFixed(0)} MB`;
}

const isPinned = pinTheLoad();
const sandbox = await startServer(sandboxArguments, calls.read);
const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-bench-'));
const stored = await startServer([...sandboxArguments, '--data', folder], calls.read);
const bare = await startServer(bareArguments, calls.read);
const idle = sandbox.peakMemory();
await throughput(sandbox, stored, bare);
await allOperations(sandbox, bare);
say(
  `\nPeak memory: ${megabytesOf(idle)} after the first answer, ${megabytesOf(sandbox.peakMemory())} after all of this.`,
);
await Promise.all([sandbox.stop(), stored.stop(), bare.stop()]);
rmSync(folder, { recursive: true });
await starting();
await startingWithSandboxes();
await mutations();
await library(say, roundMs);
sandboxesByTheThousand();
