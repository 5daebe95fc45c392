import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

interface Source {
  readonly masterM3u8Pathname: string;
  readonly urlSearchParamString: string;
}

/** Returns the files that a playlist names, by their path. */
function namedIn(playlist: string, folder: string): readonly string[] {
  return playlist
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new URL(line, `http://replica${folder}`).pathname);
}

async function fileOf(url: string, path: string): Promise<string> {
  const reply = await fetch(`${url}${path}`);
  expect(reply.status, path).toBe(200);
  return Buffer.from(await reply.arrayBuffer()).toString('base64');
}

/** Everything that a player loads from one source. */
async function playedFrom(
  url: string,
  { masterM3u8Pathname, urlSearchParamString }: Source,
): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [masterM3u8Pathname];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const content = await fileOf(url, `${path}${urlSearchParamString}`);
    files.push(`${path} ${content}`);
    if (path.endsWith('.m3u8')) waiting.push(...namedIn(Buffer.from(content, 'base64').toString(), path));
  }
  return files;
}

describe('a recording behind signed URLs', () => {
  it(
    'plays from each replica, also after the one that signed them was killed',
    { timeout: 120_000 },
    async () => {
      const data = await postgres.database();
      const [owner, other] = [await startReplica(data), await startReplica(data)];
      const clock = { mode: 'frozen', now: '2026-11-20T10:00:00.000Z' };
      await supertest(owner.url).post('/control/sandboxes').send({ id: 'films', clock }).expect(201);
      const { body } = await supertest(owner.url)
        .post('/public/get-signed-url-data-for-live-event-session-playback')
        .set('SERVICE-API-KEY', 'sbx_films_riverside')
        .send({ data: [{ data: { liveEventSessionId: sessions.twoSources } }] })
        .expect(200);
      const [result] = body as readonly {
        readonly output: { readonly data: { readonly playbackSources: readonly Source[] } };
      }[];
      const sources = result?.output.data.playbackSources ?? [];
      expect(sources).toHaveLength(2);
      const played = (url: string) => Promise.all(sources.map((source) => playedFrom(url, source)));
      const before = await played(owner.url);
      expect(before.flat().length).toBeGreaterThan(10);
      expect(await played(other.url)).toEqual(before);
      const changed = `${sources[0]?.masterM3u8Pathname}${sources[0]?.urlSearchParamString.replace(/.$/, 'x')}`;
      expect((await fetch(`${other.url}${changed}`)).status).toBe(403);

      await owner.stop('SIGKILL');
      expect(await played(other.url)).toEqual(before);
    },
  );
});
