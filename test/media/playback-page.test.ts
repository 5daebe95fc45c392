import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { sessions } from '../support/demo.ts';
import { pageSections } from '../support/recipes.ts';
import { serve } from '../support/serve.ts';
import { fetchRaw, recorded, recordedIn, type PlaybackSource } from './recorded.ts';

const page = readFileSync('docs/playback.md', 'utf8');

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return `#${heading.toLowerCase().replaceAll(/[.,]/g, '').replaceAll(' ', '-')}`;
}

describe('docs/playback.md', () => {
  it('links to what there is', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const anchors = new Set([...pageSections('playback').keys()].map(anchorOf));
    const leadsNowhere = (link: string): boolean =>
      link.startsWith('#') ? !anchors.has(link) : !existsSync(`docs/${link.split('#')[0]}`);
    expect(links.filter(leadsNowhere)).toEqual([]);
    expect(links.length).toBeGreaterThan(8);
  });

  it('has curls that answer, in the order in which they stand there', { tags: ['slow'] }, async () => {
    const server = await serve();
    const commands = [...page.matchAll(/```sh\n(curl [^`]+)```/g)].map(([, command = '']) => command);
    expect(commands).toHaveLength(4);
    const answers: unknown[] = [];
    for (const command of commands) {
      const script = command
        .replace('curl ', 'curl --silent --show-error --fail ')
        .replaceAll('http://127.0.0.1:4010', server.url);
      const { code, out, err } = await run(['-c', script], { program: ['sh'] });
      expect([command, code, err]).toEqual([command, 0, '']);
      answers.push(JSON.parse(out));
    }
    const [played] = answers as [{ output: { data: { playbackSources: readonly PlaybackSource[] } } }[]];
    expect(
      played[0]?.output.data.playbackSources.map(({ masterM3u8Pathname }) =>
        masterM3u8Pathname.split('/').at(-2),
      ),
    ).toEqual(['camera', 'screen']);
    expect(await server.default.state.get('liveEventSessions', sessions.twoSources)).toHaveProperty(
      'recordedSources',
      ['camera'],
    );
  });

  it('says of every refusal what it means', async () => {
    const recording = await recorded();
    const other = await recordedIn(recording, sessions.oneSource);
    const { get, url, query, folder } = recording;
    const refusals = [
      await get('recording.mp4', ''),
      await get('recording.mp4', `${query}0`),
      await get('recording.mp4', other.query),
      await get('nothing'),
      await fetchRaw(url, `/media/nobody${folder}${query}`.replace(`/media/${recording.sandbox.id}`, '')),
      await get('recording.mp4', query, { headers: { Range: 'bytes=9999999-' } }),
    ];
    await recording.sandbox.clock.advance({ seconds: 3600 });
    refusals.splice(3, 0, await get('recording.mp4'));
    const rows = [...page.matchAll(/^\| (\d{3}) +\| (.*?) +\|/gm)].map(([, status, detail = '']) => ({
      status: Number(status),
      detail,
    }));
    expect(rows).toHaveLength(refusals.length);
    for (const [index, { status, detail }] of rows.entries()) {
      const [start = '', end = ''] = detail.split('…').map((part) => part.trim());
      expect([refusals[index]?.status, refusals[index]?.detail]).toEqual([
        status,
        expect.stringContaining(start),
      ]);
      expect(refusals[index]?.detail).toContain(end);
    }
  });
});
