import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { installPackage, linkModule, linkProgram, type Installation } from '../support/package.ts';
import { writeRecipe } from '../support/recipes.ts';

const page = readFileSync('docs/ci.md', 'utf8');

let installed: Installation;
beforeAll(async () => {
  installed = await installPackage({ types: false });
  linkModule(installed.folder, 'vitest');
  linkProgram(installed.folder, 'vitest');
}, 60_000);
afterAll(() => installed.remove());

describe('docs/ci.md on exec and matrix', () => {
  it.each(['exec', 'matrix'])('names only flags that %s has', async (command) => {
    const { code, out } = await run([command, '--help']);
    expect(code).toBe(0);
    const known = [...out.matchAll(/--([\w-]+)/g)].map(([, name]) => name);
    const commands = [...page.matchAll(new RegExp(`lp-sandbox ${command} (.*?)-- `, 'g'))].map(
      ([, flags = '']) => flags,
    );
    expect(commands).not.toHaveLength(0);
    const told =
      command === 'exec'
        ? page.slice(page.indexOf('## Options of exec'), page.indexOf('## Isolate tests'))
        : '';
    const named = [...commands, told].flatMap((text) =>
      [...text.matchAll(/--([\w-]+)/g)].map(([, name]) => name),
    );
    expect(known).toEqual(expect.arrayContaining(named));
  });

  it('tells every variable that exec sets, and no other', async () => {
    const { out, code } = await run([
      'exec',
      '--control-token',
      'a-token-for-the-test',
      '--',
      'sh',
      '-c',
      "env | grep '^SANDBOX_'",
    ]);
    expect(code).toBe(0);
    const [table = ''] = /^\| variable[^]*?\n\n/m.exec(page) ?? [];
    const told = [...table.matchAll(/^\| `(SANDBOX_\w+)`/gm)].map(([, name]) => name);
    expect(new Set([...out.matchAll(/^(SANDBOX_\w+)=/gm)].map(([, name]) => name))).toEqual(new Set(told));
  });

  it('begins with a command that works: the tests of the recipe for Vitest, without its setup', async () => {
    const folder = installed.another('exec');
    writeRecipe('Vitest', folder);
    rmSync(join(folder, 'vitest.config.mjs'));
    const command = 'npx lp-sandbox exec --report report.md -- npx vitest run';
    const { code, out, err } = await run(['-c', command], {
      program: ['sh'],
      cwd: folder,
      env: { npm_config_offline: 'true', NO_COLOR: '1' },
    });
    expect({ code, said: `${out}${err}` }).toEqual({
      code: 0,
      said: expect.stringMatching(/Tests\s+1 passed/) as string,
    });
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).not.toBe('');
  });
});
