import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, startProgram, temporaryFolder, type Ended } from '../support/command.ts';
import { pageSections } from '../support/recipes.ts';
import { startRecording } from './recorder.ts';

const page = readFileSync('docs/recorded-data.md', 'utf8');

/** The blocks of the section in their order: commands, and what the page says that they print. */
const blocks = pageSections('recorded-data').get('Try it out') ?? [];

function shell(command: string): Promise<Ended> {
  return run(['-c', command], { program: ['sh'] });
}

function count(text: string): number {
  return [...text.matchAll(/"serviceInstructorId"/g)].length;
}

describe('docs/recorded-data.md', () => {
  it('links to what there is', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const anchors = new Set(
      [...page.matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) => `#${heading.toLowerCase().replaceAll(' ', '-')}`,
      ),
    );
    expect(
      links.filter((link) => (link.startsWith('#') ? !anchors.has(link) : !existsSync(`docs/${link}`))),
    ).toEqual([]);
  });

  it('has commands that do what it says', { timeout: 90_000 }, async () => {
    const [start = '', record = '', ask = '', replay = '', askAgain = ''] = blocks
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text);
    const [printed = ''] = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
    expect(start).toBe('lp-sandbox start --port 4010\n');
    expect(record).toBe('lp-sandbox record --upstream http://127.0.0.1:4010 --out recorded-school\n');
    expect(replay).toBe('lp-sandbox start --port 4012 --seed recorded-school\n');

    const service = await startProgram(['start', '--port', '0']);
    onTestFinished(async () => void (await service.stop('SIGKILL')));
    const folder = temporaryFolder();
    const recorder = await startRecording(service.url, 'recorded-school', folder);
    const real = await shell(ask.replace('http://127.0.0.1:4011', recorder.url));
    expect([real.code, real.out]).toEqual([0, expect.stringContaining('"name":"Mira Okafor"')]);
    expect((await recorder.stop()).out).toContain(printed);

    const recorded = await startProgram(['start', '--port', '0', '--seed', join(folder, 'recorded-school')]);
    onTestFinished(async () => void (await recorded.stop('SIGKILL')));
    const { code, out } = await shell(askAgain.replace('http://127.0.0.1:4012', recorded.url));
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^\[\{"output":\{"status":"ok","data":\{"instructors":\[\{"serviceInstructorId":"[0-9a-f]{24}","name":"/,
      ),
    ]);
    expect(out.replaceAll(/"[^"]*\/assets\/[^"]*"/g, '')).not.toMatch(/Okafor|riverside/i);
    expect(count(out)).toBe(count(real.out));
  });
});
