import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionNames } from '../../src/assumptions.ts';
import { run, startProgram, temporaryFolder } from '../support/command.ts';
import { serve } from '../support/serve.ts';

const page = readFileSync('docs/calibrate.md', 'utf8');
const commands = [...page.matchAll(/```sh\n(.+)\n```/g)].map(([, command = '']) => command);
const [known = ''] = [...page.matchAll(/```yaml\n(# known\.yaml\n[^`]+)```/g)].map(([, text = '']) => text);

describe('docs/calibrate.md', () => {
  it('has commands that do what it says, in the order in which they stand there', async () => {
    // The calls of several runs would exceed the limits.
    const { url } = await serve({ limits: 'off' });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'known.yaml'), known);
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      const [, words = ''] = /lp-sandbox (.*)$/.exec(command) ?? [];
      const args = words.replace('https://api.school.example', url).split(' ');
      if (args[0] === 'start') {
        const program = await startProgram([...args, '--port', '0'], { cwd });
        expect((await program.stop('SIGTERM')).code).toBe(0);
        continue;
      }
      // The waits for rate limits take minutes, and the file is there from the first time.
      const { code, out, err } = await run([...args, '--quick', '--pace', '0', '--force'], {
        cwd,
        env: { UPSTREAM_API_KEY: 'sbx_default_riverside' },
      });
      expect([command, code, err]).toEqual([
        command,
        0,
        args.includes('--dry-run') ? '' : expect.stringMatching(/^lp-sandbox: wrote assumptions\.yaml/),
      ]);
      expect(out).toMatch(
        args.includes('--allow-writes')
          ? /Probes that write: coupon-updates, lab-updates/
          : /No probe writes\./,
      );
    }
    expect(readFileSync(join(cwd, 'assumptions.yaml'), 'utf8')).toMatch(/^ {2}unknownUser: create$/m);
  });

  it('names assumptions, flags and files that there are', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link.split('#')[0] ?? '');
    expect(links.filter((link) => !existsSync(join('docs', link)))).toEqual([]);
    const words = [...page.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, word = '']) => word);
    // The same member as in the report of the proxy.
    const others = words.filter((word) => !assumptionNames.some((name) => name === word));
    expect(new Set(others)).toEqual(new Set(['beyondContract']));
    expect(readFileSync('openapi/control.yaml', 'utf8')).toContain('beyondContract:');
    expect(words.length).toBeGreaterThan(6);
  });
});
