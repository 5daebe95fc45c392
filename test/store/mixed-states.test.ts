import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxServer } from '../../src/index.ts';
import { inOrder } from '../../src/store/read-logs.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { eventually } from '../support/eventually.ts';
import { holdWrites } from '../support/held-writes.ts';
import { labId } from '../support/demo.ts';
import { serve } from '../support/serve.ts';

async function rename(server: SandboxServer, ...titles: readonly string[]): Promise<void> {
  for (const labTitle of titles) await server.default.state.patch('labs', labId, { labTitle });
}

const titleIn = async (server: SandboxServer): Promise<unknown> =>
  (await server.default.state.get('labs', labId))?.labTitle;

/** Where a server of a test stores its default sandbox. */
interface Place {
  readonly data: string;
  readonly file: string;
  readonly folder: string;
}

const asFolder = (): Place => {
  const data = temporaryFolder();
  return { data, file: join(data, 'default.json'), folder: data };
};

const asFile = (): Place => {
  const folder = temporaryFolder();
  const file = join(folder, 'state.json');
  return { data: file, file, folder };
};

/** Changes the title in a life of a server that ends regularly: the state file has everything. */
async function live({ data }: Place, ...titles: readonly string[]): Promise<void> {
  const server = await serve({ data });
  await rename(server, ...titles);
  await server.close();
}

/** Changes the title in a life of a server that is killed. Returns a copy of the place as the crash leaves it. */
async function die({ data, file }: Place, ...titles: readonly string[]): Promise<Place> {
  const server = await serve({ data });
  await rename(server, ...titles);
  const folder = crashCopy(data === file ? join(file, '..') : data);
  const copied = join(folder, basename(file));
  return { data: data === file ? copied : folder, file: copied, folder };
}

const logsIn = ({ folder }: Place): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.log'));

const contentOf = ({ folder }: Place): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Expects that a server does not start, names the files, and leaves all of them as they are. */
async function expectRefusal(place: Place, message: string): Promise<void> {
  const before = contentOf(place);
  await expect(serve({ data: place.data })).rejects.toThrow(message);
  expect(contentOf(place)).toEqual(before);
}

const titles = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `title ${at}`);

describe.each([
  ['a folder', asFolder],
  ['a single file', asFile],
])('a state file in %s, beside a log that does not continue it,', (_, create) => {
  it.each([
    ['has the number of the line before the log', 1],
    ['ends in the middle of the log', 3],
    ['ends after the log', 9],
  ])(
    'keeps the server from starting if it is of another server and %s',
    { tags: ['slow'] },
    async (_, count) => {
      const place = create();
      await live(place, 'folded');
      const crashed = await die(place, ...titles(5));
      const other = create();
      await live(other, ...titles(count));
      cpSync(other.file, crashed.file);
      const [log = ''] = logsIn(crashed);
      await expectRefusal(
        crashed,
        `${join(crashed.folder, log)} cannot be used: it does not continue ${crashed.file}, which ends with line `,
      );
      rmSync(join(crashed.folder, log));
      expect(await titleIn(await serve({ data: crashed.data }))).toBe(`title ${count - 1}`);
    },
  );

  it(
    'keeps the server from starting if another server has continued a copy of it',
    { tags: ['slow'] },
    async () => {
      const place = create();
      await live(place, 'folded');
      const copy = create();
      cpSync(place.file, copy.file);
      await live(copy, ...titles(2));
      const crashed = await die(place, ...titles(5));
      cpSync(copy.file, crashed.file);
      await expectRefusal(crashed, 'does not continue');
    },
  );

  it(
    'keeps the server from starting if it is an older backup, because lines are missing',
    { tags: ['slow'] },
    async () => {
      const place = create();
      await live(place, 'older');
      const backup = readFileSync(place.file);
      await live(place, 'newer');
      const crashed = await die(place, 'in the log');
      writeFileSync(crashed.file, backup);
      await expectRefusal(crashed, 'a log between them is missing');
    },
  );

  it('keeps the server from starting if it is missing', { tags: ['slow'] }, async () => {
    const place = create();
    await live(place, 'folded');
    const crashed = await die(place, 'in the log');
    const aside = `${crashed.file}.aside`;
    renameSync(crashed.file, aside);
    await expectRefusal(crashed, `is missing, or the state file ${crashed.file}. Nothing was changed.`);
    renameSync(aside, crashed.file);
    expect(await titleIn(await serve({ data: crashed.data }))).toBe('in the log');
  });
});

/** Changes the title in the sandbox "other". */
async function stored(folder: string, description: string): Promise<SandboxServer> {
  const server = await serve({ data: folder });
  const sandbox = (await server.sandbox('other')) ?? (await server.createSandbox({ id: 'other' }));
  await sandbox.state.patch('labs', labId, { labTitle: description });
  return server;
}

it(
  'a sandbox that is loaded later is refused with the reason if its log does not continue its state file',
  { tags: ['slow'] },
  async () => {
    const data = temporaryFolder();
    await (await stored(data, 'folded')).close();
    await stored(data, 'in the log');
    const crashed = crashCopy(data);
    const elsewhere = temporaryFolder();
    await (await stored(elsewhere, 'of another server')).close();
    cpSync(join(elsewhere, 'other.json'), join(crashed, 'other.json'));
    const server = await serve({ data: crashed, warn: () => {} });
    const reply = await supertest(server.url).get('/control/sandboxes/other');
    expect(reply.status).toBe(503);
    expect(reply.text).toContain(`does not continue ${join(crashed, 'other.json')}`);
    expect(readdirSync(crashed).filter((name) => name.startsWith('other.'))).toHaveLength(2);
  },
);

/** A crash that left two logs of the sandbox "other", but no state file. */
async function twoLogs() {
  const data = temporaryFolder();
  await stored(data, 'one');
  const { waiting, writes } = holdWrites();
  const finish = (): void => {
    writes.mockRestore();
    for (const go of waiting.splice(0)) go();
  };
  onTestFinished(finish);
  const crashed = crashCopy(data);
  const server = await stored(crashed, 'two');
  await eventually(() => expect(waiting.length).toBeGreaterThan(0));
  await (await server.sandbox('other'))?.state.patch('labs', labId, { labTitle: 'three' });
  const folder = crashCopy(crashed);
  finish();
  const logs = readdirSync(folder).filter((name) => /^other\.\d+\.log$/.test(name));
  const [first = '', last = ''] = inOrder(logs);
  expect([logs.length, first]).toEqual([2, 'other.1.log']);
  expect(readdirSync(folder)).not.toContain('other.json');
  return { folder, first: join(folder, first), last: join(folder, last) };
}

describe('a log whose predecessor is missing', () => {
  const sandboxUrl = '/control/sandboxes/other';

  it(
    'is refused without the claim that there was a state file, until the predecessor is back',
    { tags: ['slow'] },
    async () => {
      const { folder, first, last } = await twoLogs();
      renameSync(first, `${first}.aside`);
      const server = await serve({ data: folder, warn: () => {} });
      const reply = await supertest(server.url).get(sandboxUrl);
      const line = Number(basename(last).split('.')[1]) - 1;
      expect([reply.status, reply.text]).toEqual([
        503,
        expect.stringContaining(
          `${last} cannot be used: it continues line ${line}, which no file has: the log that ends with that line is missing, or the state file`,
        ),
      ]);
      renameSync(`${first}.aside`, first);
      const { body } = await supertest(server.url).get(`${sandboxUrl}/state/labs/${labId}`).expect(200);
      expect(body).toMatchObject({ labTitle: 'three' });
    },
  );

  it(
    'is deleted with the predecessor if that is back, so that the next start loads neither',
    { tags: ['slow'] },
    async () => {
      const { folder, first } = await twoLogs();
      renameSync(first, `${first}.aside`);
      const server = await serve({ data: folder, warn: () => {} });
      await supertest(server.url).get(sandboxUrl).expect(503);
      renameSync(`${first}.aside`, first);
      await supertest(server.url).delete(sandboxUrl).expect(204);
      expect(readdirSync(folder).filter((name) => /^other\.(?:json|\d+\.log)$/.test(name))).toEqual([]);
    },
  );

  it(
    'is deleted with a log that somebody has put there, but that does not make it complete',
    { tags: ['slow'] },
    async () => {
      const { folder, first, last } = await twoLogs();
      renameSync(first, `${first}.aside`);
      const server = await serve({ data: folder, warn: () => {} });
      await supertest(server.url).get(sandboxUrl).expect(503);
      writeFileSync(first, readFileSync(last));
      await supertest(server.url).delete(sandboxUrl).expect(204);
      expect(readdirSync(folder).filter((name) => /^other\.\d+\.log$/.test(name))).toEqual([]);
    },
  );
});

it(
  'an old log that somebody has put beside a newer state file and its log is to be moved away alone',
  { tags: ['slow'] },
  async () => {
    const place = await die(asFolder(), 'old');
    const [surplus = ''] = logsIn(place);
    const old = readFileSync(join(place.folder, surplus));
    await live(place, 'folded');
    const crashed = await die(place, 'newest');
    expect(logsIn(crashed)).toHaveLength(1);
    writeFileSync(join(crashed.folder, surplus), old);
    await expectRefusal(crashed, 'move this log away, and no other one');
    renameSync(join(crashed.folder, surplus), join(crashed.folder, `${surplus}.aside`));
    expect(await titleIn(await serve({ data: crashed.data }))).toBe('newest');
  },
);

/** A server that is writing a state file after "one", and appends "two" to the next log meanwhile. */
async function folding(...earlier: readonly string[]) {
  const place = asFolder();
  await live(place, 'folded');
  const backup = readFileSync(place.file);
  const crashed = await die(place, ...earlier, 'one');
  const { waiting, writes } = holdWrites();
  const server = await serve({ data: crashed.data });
  onTestFinished(() => finish());
  const finish = (): void => {
    writes.mockRestore();
    for (const go of waiting.splice(0)) go();
  };
  await eventually(() => expect(waiting).toHaveLength(1));
  await rename(server, 'two');
  const before: Place = { ...crashed, ...placeIn(crashCopy(crashed.folder)) };
  expect(logsIn(before)).toHaveLength(2);
  return { backup, before, crashed, server, finish };
}

const placeIn = (folder: string): Place => ({ data: folder, file: join(folder, 'default.json'), folder });

describe('a crash', () => {
  it(
    'while the state file is being written loses nothing: both logs continue the old one',
    { tags: ['slow'] },
    async () => {
      const { before, finish } = await folding();
      finish();
      expect(await titleIn(await serve({ data: before.data }))).toBe('two');
    },
  );

  it(
    'after the new state file, but before the deletion of the log that it has, loses nothing',
    { tags: ['slow'] },
    async () => {
      const { before, crashed, finish } = await folding();
      finish();
      await eventually(() => expect(logsIn(crashed)).toHaveLength(1));
      cpSync(crashed.file, before.file);
      const warnings: string[] = [];
      const server = await serve({ data: before.data, warn: (message) => warnings.push(message) });
      expect(await titleIn(server)).toBe('two');
      expect(warnings).toEqual([]);
      await server.close();
      expect(logsIn(before)).toEqual([]);
    },
  );
});

it(
  'a backup of a state file is continued by the logs after it, if none is missing',
  { tags: ['slow'] },
  async () => {
    const { backup, before, crashed, finish } = await folding();
    finish();
    await eventually(() => expect(logsIn(crashed)).toHaveLength(1));
    // Both logs, of which the state file has one.
    cpSync(crashed.file, before.file);
    writeFileSync(before.file, backup);
    expect(await titleIn(await serve({ data: before.data }))).toBe('two');
  },
);

describe('two servers, of which the second took over while the disk of the first hung', () => {
  it(
    'keep the next one from starting if the first wrote a line late, and the message says which line to remove',
    { tags: ['slow'] },
    async () => {
      const { before, finish } = await folding('zero');
      const [first = '', last = ''] = inOrder(logsIn(before)).map((name) => join(before.folder, name));
      const text = readFileSync(first, 'utf8');
      const number = Number(basename(last).split('.')[1]);
      appendFileSync(
        first,
        `{"line":${number}${text.slice(text.lastIndexOf('{"line":')).replace(/^\{"line":\d+/, '')}`,
      );
      await expectRefusal(
        before,
        `${last} cannot be used: it continues line ${number - 1} of ${first}, but that file also has line ${number}.`,
      );
      await expectRefusal(before, `remove the last line of ${first} (line ${number}), and no others`);
      writeFileSync(first, text);
      expect(await titleIn(await serve({ data: before.data }))).toBe('two');
      finish();
    },
  );

  it(
    'lose nothing if the first put its state file there late: the log of the second continues its last line',
    { tags: ['slow'] },
    async () => {
      const { backup, before, finish } = await folding('zero');
      finish();
      const late = await lateState(before, backup, () => Promise.resolve());
      writeFileSync(before.file, late);
      expect(await titleIn(await serve({ data: before.data }))).toBe('two');
    },
  );

  it(
    'keep the next one from starting if the late state file has other changes',
    { tags: ['slow'] },
    async () => {
      const { backup, before, finish } = await folding('zero');
      finish();
      const late = await lateState(before, backup, (server) => rename(server, 'of the first'));
      writeFileSync(before.file, late);
      await expectRefusal(before, 'it does not continue');
    },
  );
});

/** Returns the state file of a server that has the first log only, after it "does" something. */
async function lateState(
  { folder }: Place,
  backup: Buffer,
  does: (server: SandboxServer) => Promise<void>,
): Promise<Buffer> {
  const place = placeIn(crashCopy(folder));
  writeFileSync(place.file, backup);
  rmSync(join(place.folder, inOrder(logsIn(place)).at(-1) ?? ''));
  const server = await serve({ data: place.data });
  await does(server);
  await server.close();
  return readFileSync(place.file);
}

describe('a log that ends before the line that the next log continues', () => {
  it('is refused as an older copy if its last line is whole', { tags: ['slow'] }, async () => {
    const { before, finish } = await folding('zero');
    const [first = '', last = ''] = inOrder(logsIn(before)).map((name) => join(before.folder, name));
    const text = readFileSync(first, 'utf8');
    writeFileSync(first, `${text.split('\n').slice(0, -2).join('\n')}\n`);
    await expectRefusal(before, `${last} cannot be used: it continues line `);
    await expectRefusal(before, ` of ${first}, but that file ends with line `);
    writeFileSync(first, text);
    expect(await titleIn(await serve({ data: before.data }))).toBe('two');
    finish();
  });

  it(
    'is loaded up to there if its last line is incomplete, as a power failure can leave it',
    { tags: ['slow'] },
    async () => {
      const { before, finish } = await folding('zero');
      const [first = '', last = ''] = inOrder(logsIn(before)).map((name) => join(before.folder, name));
      truncateSync(first, statSync(first).size - 5);
      const warnings: string[] = [];
      const server = await serve({ data: before.data, warn: (message) => warnings.push(message) });
      expect(await titleIn(server)).toBe('zero');
      expect(warnings).toEqual([expect.stringContaining(`${basename(last)} was moved to a name`)]);
      finish();
    },
  );
});

it(
  'a log that was set aside as damaged is refused if somebody puts it back after other changes',
  { tags: ['slow'] },
  async () => {
    const { before, finish } = await folding();
    const [first = '', last = ''] = logsIn(before).map((name) => join(before.folder, name));
    const text = readFileSync(first, 'utf8');
    writeFileSync(first, text.replace('"one"', '1'));
    const server = await serve({ data: before.data, warn: () => {} });
    await rename(server, 'instead');
    const place = placeIn(crashCopy(before.folder));
    finish();
    const aside = readdirSync(place.folder).find((name) => name.startsWith(`${basename(last)}.unusable`));
    expect(logsIn(place)).not.toContain(basename(last));
    renameSync(join(place.folder, aside ?? ''), join(place.folder, basename(last)));
    await expectRefusal(place, 'does not continue');
  },
);
