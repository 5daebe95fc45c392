/**
 * Measures how long one request to the control plane blocks all others, with the largest input within the
 * limits. `npm run --silent build && npx tsx bench/blocking.ts [part of a name]`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { Agent } from 'node:http';

const root = new URL('../', import.meta.url);
/** The program that is measured: set another build to compare with it. */
const program =
  process.argv.find((word) => word.endsWith('.js') && !word.includes('blocking') && !word.includes('tsx')) ??
  'dist/bundle/main.js';
const wanted = process.argv.find((word) => word.startsWith('name='))?.slice('name='.length) ?? '';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

async function start(...args: readonly string[]): Promise<Server> {
  const options = ['--import', './bench/loop-delay.mjs', program, '--port', '0', '--limits', 'off', ...args];
  const child = spawn(process.execPath, options, { cwd: root, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const port = await new Promise<number>((found, fail) => {
    let printed = '';
    child.once('exit', () => fail(new Error(`The server ended: ${printed}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const match = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
      if (match !== undefined) found(Number(match));
    });
  });
  return { port, child };
}

function stop({ child }: Server): Promise<void> {
  return new Promise((done) => {
    child.removeAllListeners('exit');
    child.once('exit', () => done());
    child.kill('SIGKILL');
  });
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and reads the whole response; stores its text if it is short. */
function ask(
  { port }: Server,
  method: string,
  path: string,
  body?: string | Buffer,
  key?: string,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers: Record<string, string | number> = {};
    if (body !== undefined)
      Object.assign(headers, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      });
    if (key !== undefined) headers['SERVICE-API-KEY'] = key;
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      let bytes = 0;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 2_000_000) chunks.push(chunk);
      });
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, bytes, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** In milliseconds. */
interface Delay {
  readonly worstMs: number;
  readonly worstProcessorMs: number;
}

function delayOf({ child }: Server, message: 'begin' | 'end'): Promise<Delay> {
  return new Promise((told) => {
    child.once('message', (answer: Delay) => told(answer));
    child.send(message);
  });
}

const rest = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

/**
 * Sends one request to a server at rest and prints how long the event loop was blocked: the median of three
 * tries, because other programs interfere.
 */
async function measure(name: string, server: Server, send: () => Promise<Answer>, tries = 3): Promise<void> {
  if (!name.includes(wanted)) return;
  const worst: Delay[] = [];
  let last: Answer = { status: 0, bytes: 0, text: '' };
  let took = 0;
  for (let number = 0; number < tries; number += 1) {
    await rest(150);
    await delayOf(server, 'begin');
    const begin = performance.now();
    last = await send();
    took = performance.now() - begin;
    await rest(30);
    worst.push(await delayOf(server, 'end'));
  }
  const processor = middle(worst.map(({ worstProcessorMs }) => worstProcessorMs));
  const real = middle(worst.map(({ worstMs }) => worstMs));
  const figures = `${processor.toFixed(0)} ms${processor > 100 ? ' !' : ''} | ${real.toFixed(0)} ms`;
  say(
    `| ${name} | ${last.status} | ${(last.bytes / 1e6).toFixed(1)} MB | ${(took / 1000).toFixed(2)} s | ${figures} |`,
  );
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const json = (value: unknown): string => JSON.stringify(value);
const of = (sandbox: string, path = ''): string => `/control/sandboxes/${sandbox}${path}`;

function elementsOf(length: number, element: (index: number) => object): string {
  const elements: object[] = [];
  let size = 12;
  for (let index = 0; size < length; index += 1) {
    const one = { data: element(index) };
    size += json(one).length + 1;
    elements.push(one);
  }
  elements.pop();
  return json({ data: elements });
}

async function fillJournal(
  server: Server,
  sandbox: string,
  entries: number,
  characters: number,
  operation: string,
): Promise<void> {
  const body = elementsOf(characters, (index) => ({
    quizId: '9d5afed5df87086d04584dbf',
    [`extra${index % 50}`]: index,
  }));
  for (let at = 0; at < entries; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(server, 'POST', `/public/${operation}`, body, `sbx_${sandbox}_riverside`),
      ),
    );
}

const expected = (index: number): object => ({
  operation: 'get-quiz-details',
  parameters: { quizId: `none-${index}`, no: index },
});

async function journals(): Promise<void> {
  const server = await start();
  // As many entries as there may be, and entries as large as they may be.
  await fillJournal(server, 'many', 2000, 4000, 'get-quiz-details');
  await fillJournal(server, 'large', 140, 65_000, 'get-quiz-details');
  // Each element of every call breaks the contract in its own way.
  const wrong = json({
    data: Array.from({ length: 60 }, (_, index) => ({ data: { [`quizzId${index}`]: index } })),
  });
  for (let at = 0; at < 2000; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(server, 'POST', '/public/get-quiz-details', wrong, 'sbx_wrong_riverside'),
      ),
    );
  for (const sandbox of ['many', 'large', 'wrong']) {
    await measure(`journal ${sandbox}, default page`, server, () =>
      ask(server, 'GET', of(sandbox, '/journal')),
    );
    await measure(`journal ${sandbox}, limit=2000`, server, () =>
      ask(server, 'GET', of(sandbox, '/journal?limit=2000')),
    );
    await measure(`journal.har ${sandbox}`, server, () => ask(server, 'GET', of(sandbox, '/journal.har')));
    for (const suffix of ['', '.html', '.md', '.junit.xml'])
      await measure(`report${suffix} ${sandbox}`, server, () =>
        ask(server, 'GET', of(sandbox, `/report${suffix}`)),
      );
    const verify = (body: object) => () => ask(server, 'POST', of(sandbox, '/journal/verify'), json(body));
    const all = Array.from({ length: 1000 }, (_, index) => expected(index));
    const few = Array.from({ length: sandbox === 'many' ? 20 : 100 }, (_, index) => expected(index));
    await measure(
      `verify 1,000 counts by outcome ${sandbox}`,
      server,
      verify({ counts: all.map(() => ({ outcome: 'fault' })) }),
      1,
    );
    await measure(`verify ${few.length} counts by parameters ${sandbox}`, server, verify({ counts: few }), 1);
    await measure(
      `verify sequence of 1,000 ${sandbox}`,
      server,
      verify({ sequence: all.map(() => ({ outcome: 'fault' })) }),
      1,
    );
    await measure(
      `verify sequence of ${few.length} by body ${sandbox}`,
      server,
      verify({ sequence: few.map((one) => ({ body: one })) }),
      1,
    );
    if (process.argv.includes('--full'))
      await measure(`verify 1,000 counts by parameters ${sandbox}`, server, verify({ counts: all }), 1);
  }
  await stop(server);
}

async function states(): Promise<void> {
  const server = await start('--seed', 'generated:videos=100000');
  await ask(server, 'POST', '/control/sandboxes', json({ id: 'big' }));
  await ask(server, 'POST', '/control/sandboxes', json({ id: 'small', seed: 'demo' }));
  await measure('creation with a generated seed', server, () =>
    ask(
      server,
      'POST',
      '/control/sandboxes',
      json({ seed: `generated:videos=19000,random-seed=${Math.floor(Math.random() * 1e6)}` }),
    ),
  );
  await measure('reset of 100,000 videos', server, () => ask(server, 'POST', of('big', '/reset')));
  await measure('export of 100,000 videos', server, () => ask(server, 'GET', of('big', '/state')));
  await measure('list of 100,000 videos', server, () => ask(server, 'GET', of('big', '/state/videos')));
  await measure('removal of a record that may be named', server, () =>
    ask(server, 'DELETE', of('big', '/state/schools/none')),
  );
  const { text } = await ask(server, 'GET', of('small', '/state'));
  // The response of the control plane, as in openapi/control.yaml.
  const document = JSON.parse(text) as { collections: Record<string, Record<string, unknown>[]> };
  const schoolId = String(document.collections['schools']?.[0]?.['id']);
  await measure('removal of a school named by 100,000', server, async () => {
    const listed = await ask(server, 'GET', of('big', '/state/schools'));
    // As above.
    const [school] = (JSON.parse(listed.text) as { records: { id: string }[] }).records;
    return ask(server, 'DELETE', of('big', `/state/schools/${school?.id}`));
  });
  const import64 = (label: string, body: string | Buffer, tries = 2): Promise<void> =>
    measure(
      `import ${label} (${(Buffer.byteLength(body) / 1_048_576).toFixed(0)} MiB)`,
      server,
      () => ask(server, 'PUT', of('target', '/state'), body),
      tries,
    );
  await ask(server, 'POST', '/control/sandboxes', json({ id: 'target', seed: 'demo' }));
  const whole = 64 * 1_048_576;
  const filled = (
    record: (index: number) => unknown,
    collection: string,
    base: Record<string, unknown[]>,
  ): string => {
    const head = json({ collections: { ...base, [collection]: [] } }).slice(0, -3);
    const parts: string[] = [];
    let size = head.length + 3;
    for (let index = 0; ; index += 1) {
      const one = json(record(index));
      size += one.length + 1;
      if (size > whole || index >= 249_000) break;
      parts.push(one);
    }
    return `${head}${parts.join(',')}]}}`;
  };
  const { products: _, ...others } = document.collections;
  const fits = filled(
    (index) => ({
      id: index.toString(16).padStart(24, '0'),
      schoolId,
      title: `Product ${index} ${'x'.repeat(180)}`,
    }),
    'products',
    { schools: others['schools'] ?? [] },
  );
  await import64('of products that fit', fits);
  await measure('export of them', server, () => ask(server, 'GET', of('target', '/state')));
  await measure('snapshot of them', server, () => ask(server, 'PUT', of('target', '/snapshots/one')));
  await import64('of the same once more', fits, 1);
  await import64(
    'of records that do not fit',
    filled((index) => ({ id: index, titel: 'x'.repeat(220) }), 'products', {}),
  );
  await import64('of numbers', `{"collections":{"products":[${'0,'.repeat(33_000_000)}0]}}`, 1);
  await import64(
    'of repeated slugs',
    filled(
      (index) => ({ id: index.toString(16).padStart(24, '0'), name: 'A'.repeat(200), slug: 'a' }),
      'schools',
      {},
    ),
    1,
  );
  await import64(
    'of references to nothing',
    filled(
      (index) => ({ id: index.toString(16).padStart(24, '0'), schoolId: 'nothing', title: 'x'.repeat(180) }),
      'products',
      {
        schools: others['schools'] ?? [],
      },
    ),
    1,
  );
  await import64(
    'of one long text',
    json({ collections: { schools: [{ id: '1', name: 'x'.repeat(whole - 100), slug: 'a' }] } }),
    1,
  );
  await import64(
    'of unlike names',
    filled((index) => ({ [`name${index}`]: 1 }), 'products', {}),
    1,
  );
  await import64(
    'of one wide record',
    `{"collections":{"products":[{${Array.from({ length: 3_500_000 }, (_x, index) => `"n${index}":0`).join(',')}}]}}`,
    1,
  );
  await import64('of spaces', `${' '.repeat(whole - 20)}{"collections":{}}`, 1);
  await import64('of no JSON', `{"collections":{"products":[${'{"id":"1"},'.repeat(5_000_000)}`, 1);
  const record = { id: 'f'.repeat(24), schoolId, title: 'x' };
  const put = (label: string, body: string): Promise<void> =>
    measure(
      `record ${label} (${(body.length / 1_048_576).toFixed(1)} MiB)`,
      server,
      () => ask(server, 'PUT', of('small', `/state/products/${record.id}`), body),
      2,
    );
  for (const size of [3.9, 60]) {
    const length = size * 1_048_576;
    await put('with a long text', json({ ...record, title: 'x'.repeat(length - 200) }));
    await put('with a long list', `{"id":[${'0,'.repeat(length / 2 - 100)}0]}`);
    await put(
      'with many fields',
      `{${Array.from({ length: length / 14 }, (_x, index) => `"n${index}":0`).join(',')}}`,
    );
    await put('with many small objects', `{"title":[${'{"a":1},'.repeat(length / 8 - 20)}0]}`);
  }
  await put('deep', `{"title":${'['.repeat(990)}${']'.repeat(990)}}`);
  await measure(
    'verify with many wrong expectations',
    server,
    () => ask(server, 'POST', of('small', '/journal/verify'), `{"counts":[${'0,'.repeat(1_900_000)}0]}`),
    2,
  );
  await measure(
    'verify with a long operation',
    server,
    () =>
      ask(
        server,
        'POST',
        of('small', '/journal/verify'),
        json({ counts: [{ operation: 'x'.repeat(3_900_000) }] }),
      ),
    2,
  );
  await measure(
    'rule with many parameters',
    server,
    () =>
      ask(
        server,
        'POST',
        of('small', '/faults'),
        json({
          fault: 'reset',
          match: {
            parameters: Object.fromEntries(
              Array.from({ length: 15_000 }, (_x, index) => [`p${index}`, index]),
            ),
          },
        }),
      ),
    2,
  );
  await stop(server);
}

async function snapshots(): Promise<void> {
  const server = await start();
  await ask(server, 'POST', '/control/sandboxes', json({ id: 'target', seed: 'demo' }));
  const { text } = await ask(server, 'GET', of('default', '/state'));
  // As above.
  const document = JSON.parse(text) as { collections: Record<string, Record<string, unknown>[]> };
  const schoolId = String(document.collections['schools']?.[0]?.['id']);
  const products = Array.from({ length: 49_000 }, (_, index) => ({
    id: index.toString(16).padStart(24, '0'),
    schoolId,
    title: `P ${index}`,
  }));
  const imported = await ask(
    server,
    'PUT',
    of('target', '/state'),
    json({ collections: { schools: document.collections['schools'], products } }),
  );
  if (imported.status !== 204) throw new Error(imported.text);
  await measure('snapshot of 49,000 changed records', server, () =>
    ask(server, 'PUT', of('target', '/snapshots/one')),
  );
  await measure('restore of 49,000 changed records', server, () =>
    ask(server, 'POST', of('target', '/snapshots/one/restore')),
  );
  for (let index = 1; index < 100; index += 1)
    await ask(server, 'PUT', of('default', `/snapshots/s${index}`));
  await measure('list of 100 snapshots', server, () => ask(server, 'GET', of('default', '/snapshots')));
  for (let index = 0; index < 100; index += 1)
    await ask(
      server,
      'POST',
      of('default', '/faults'),
      json({ fault: 'reset', operation: 'get-quiz-details' }),
    );
  await measure('list of 100 rules', server, () => ask(server, 'GET', of('default', '/faults')));
  await ask(server, 'DELETE', of('default', '/faults'));
  const rules = Array.from({ length: 90 }, (_, index) => ({
    id: `r${index}`,
    fault: 'reset',
    match: { parameters: { x: index } },
  }));
  await measure('scenario of 90 wrong rules', server, () =>
    ask(server, 'PUT', of('default', '/scenario'), json({ name: 'own', script: { summary: 'x', rules } })),
  );
  const manyRules = Array.from({ length: 12_000 }, () => ({ fault: 'reset' }));
  await measure(
    'scenario of 12,000 rules',
    server,
    () =>
      ask(
        server,
        'PUT',
        of('default', '/scenario'),
        json({ name: 'own', script: { summary: 'x', rules: manyRules } }),
      ),
    1,
  );
  await stop(server);
}

async function sandboxes(): Promise<void> {
  const server = await start();
  for (let at = 0; at < 5000; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        ask(server, 'POST', '/control/sandboxes', json({ id: `s-${at + index}` })),
      ),
    );
  await measure('list of 5,000 sandboxes', server, () => ask(server, 'GET', '/control/sandboxes'));
  await measure('a sandbox that is not there', server, () => ask(server, 'GET', of(`s${'x'.repeat(60)}`)));
  await stop(server);
  const schools = Array.from({ length: 100_000 }, (_, index) => ({
    id: index.toString(16).padStart(24, '0'),
    name: 'A',
    slug: `school-${index}`,
  }));
  const other = await start();
  const imported = await ask(other, 'PUT', of('default', '/state'), json({ collections: { schools } }));
  if (imported.status !== 204) throw new Error(imported.text);
  await measure('list of a sandbox of 100,000 schools', other, () => ask(other, 'GET', '/control/sandboxes'));
  await measure('rule for a school that is not there', other, () =>
    ask(other, 'POST', of('default', '/faults'), json({ fault: 'reset', match: { school: 'nope' } })),
  );
  await stop(other);
}

say(
  `Node ${process.version}; how long the event loop stood still at most during one request, in the middle of the tries\n`,
);
say('| request | status | answer | took | stood still, processor time | real time |');
say('| --- | --- | --- | --- | --- | --- |');
const parts = { journals, states, snapshots, sandboxes };
const only = process.argv.find((word) => word in parts);
for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part();
agent.destroy();
