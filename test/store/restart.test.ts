import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxHandle, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { instructors, learner, schools } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/send.ts';
import { serve } from '../support/serve.ts';

type State = SandboxHandle['state'];

async function add(state: State, id: string, schoolId = schools.riverside): Promise<void> {
  const time = '2026-01-01T00:00:00.000Z';
  await state.put('instructors', {
    id,
    schoolIds: [schoolId],
    userId: learner.id,
    name: `Name ${id}`,
    email: `${id}@school.example`,
    profilePhotoUrl: '',
    tagline: '',
    longDescriptionMarkdown: '',
    createdAt: time,
    lastUpdatedAt: time,
  });
}

/** The instructors of a server: as the school reads them, and as the state lists them. */
async function instructorsOf({ url, default: sandbox }: SandboxServer): Promise<readonly string[]> {
  const { text } = await send(
    `${url}/public/get-all-instructors`,
    { 'SERVICE-API-KEY': sandbox.apiKey('riverside') },
    { data: [{ data: {} }] },
  );
  const state = await sandbox.state.list('instructors');
  // The URLs of pictures have the port.
  return [text.replaceAll(url, ''), ...state.map(({ id }) => id)];
}

describe('the order of records', () => {
  it.each<[string, (state: State) => Promise<void>]>([
    [
      'of which one was removed and added again',
      async (state) => {
        await state.remove('instructors', 'a');
        await add(state, 'a');
      },
    ],
    [
      'of which one left the school and came back',
      async (state) => {
        await add(state, 'a', schools.hillcrest);
        await add(state, 'a');
      },
    ],
    [
      'of which one of the seed left the school and came back',
      async (state) => {
        await add(state, instructors.riverside.id, schools.hillcrest);
        await add(state, 'd');
        await add(state, instructors.riverside.id);
      },
    ],
  ])('is the same after a restart: %s', { tags: ['slow'] }, async (_, act) => {
    const data = temporaryFolder();
    const first = await serve({ data });
    for (const id of ['a', 'b', 'c']) await add(first.default.state, id);
    await act(first.default.state);
    const before = await instructorsOf(first);
    expect(await instructorsOf(await serve({ data: crashCopy(data) }))).toEqual(before);
    await first.close();
    expect(await instructorsOf(await serve({ data }))).toEqual(before);
  });
});

/** The snapshots and the sandboxes of a server, as the control plane lists them. */
async function listed({ url, default: { snapshots } }: SandboxServer): Promise<readonly string[]> {
  const names = (await snapshots.list()).map(({ name }) => name);
  return [...names, ...sandboxIds(await (await fetch(`${url}/control/sandboxes`)).json())];
}

describe('the order of a list of the control plane', () => {
  it('is the same after a restart, whatever the names', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const first = await serve({ data });
    for (const id of ['b', '10', 'a', '9']) await first.createSandbox({ id });
    for (const name of ['before', '2', '10', '1']) await first.default.snapshots.take(name);
    const before = await listed(first);
    expect(before.slice(0, 4)).toEqual(['1', '10', '2', 'before']);
    await first.close();
    expect(await listed(await serve({ data }))).toEqual(before);
  });
});

function sandboxIds(list: unknown): readonly string[] {
  // The control plane's contract says so.
  return (list as { readonly sandboxes: readonly { readonly id: string }[] }).sandboxes.map(({ id }) => id);
}

/** How many deleted files in the folder this process has open. */
function deletedOpen(folder: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(folder) && file.endsWith('(deleted)');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  }).length;
}

/** So many records that the log is soon due to be folded. */
async function fill({ state }: SandboxHandle): Promise<void> {
  const document = await state.export();
  const [video] = document.collections['videos'] ?? [];
  if (video === undefined) throw new Error('The demo seed has no video.');
  const videos = Array.from({ length: 30 }, (_, index) => ({
    ...video,
    id: `video-${index}`,
    videoTitle: 'x'.repeat(100_000),
  }));
  await state.import({ ...document, collections: { ...document.collections, videos } });
}

describe('the logs of a sandbox', () => {
  it.runIf(existsSync('/proc/self/fd'))('are closed when they are deleted', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const server = await serve({ data, dataSync: 'always' });
    for (let round = 0; round < 6; round += 1) {
      await fill(server.default);
      await add(server.default.state, `after-${round}`);
    }
    await eventually(() => {
      expect(readdirSync(data).filter((file) => file.endsWith('.log')).length).toBeLessThan(2);
    });
    expect(deletedOpen(join(data, 'default'))).toBe(0);
  });

  it('can have the names of those of a sandbox that was deleted', { tags: ['slow'] }, async () => {
    const server = await serve({ data: temporaryFolder(), dataSync: 'always' });
    for (let round = 0; round < 6; round += 1) {
      const sandbox = await server.createSandbox({ id: 'again' });
      await fill(sandbox);
      await add(sandbox.state, 'last');
      await sandbox.remove();
    }
  });
});

describe('a server that closes', () => {
  it.each(['always', 'second'] as const)(
    'has all changes that it has acknowledged, and rejects the others (%s)',
    { tags: ['slow'] },
    async (dataSync) => {
      const data = temporaryFolder();
      const server = await startSandbox({ port: 0, data, dataSync });
      const { state } = server.default;
      const [video] = await state.list('videos');
      if (video === undefined) throw new Error('The demo seed has no video.');
      const titles: string[] = [];
      const changes = Array.from({ length: 60 }, async (_, index) => {
        await state.put('videos', { ...video, id: `video-${index}`, videoTitle: 'x'.repeat(50_000) });
        titles.push(`video-${index}`);
      });
      await changes[20];
      await Promise.allSettled([server.close(), ...changes]);
      const again = await serve({ data });
      const kept = new Set((await again.default.state.list('videos')).map(({ id }) => id));
      expect(titles.filter((id) => !kept.has(id))).toEqual([]);
    },
  );
});

describe('the time to live of a sandbox', () => {
  it.each<[string, (server: SandboxServer) => Promise<void>]>([
    ['a request to the control plane', async (server) => expect(await server.sandbox('read')).not.toBeNull()],
    [
      'a request with a wrong method',
      async ({ url }) => {
        const headers = { 'SERVICE-API-KEY': 'sbx_read_riverside' };
        expect((await fetch(`${url}/public/list-assignments`, { headers })).status).toBe(405);
      },
    ],
  ])(
    'counts from its last use also after a crash, even if that was %s',
    { tags: ['slow'] },
    async (_, use) => {
      vi.useFakeTimers({ toFake: ['performance', 'Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const data = temporaryFolder();
      const first = await serve({ data });
      const { id } = await first.createSandbox({ id: 'read', ttlSeconds: 60 });
      for (let second = 0; second < 50; second += 10) {
        vi.advanceTimersByTime(10_000);
        await use(first);
      }
      const copy = crashCopy(data);
      vi.advanceTimersByTime(50_000);
      expect(await (await serve({ data: copy })).sandbox(id)).not.toBeNull();
      vi.advanceTimersByTime(20_000);
      expect(await (await serve({ data: crashCopy(copy) })).sandbox(id)).not.toBeNull();
    },
  );
});
