import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { flags } from '../../src/commands/flags.ts';
import { variableOf } from '../../src/commands/settings.ts';
import { action } from '../support/action.ts';
import { run, type Ended } from '../support/command.ts';
import { installPackage, linkModule, linkProgram, type Installation } from '../support/package.ts';
import { recipes, writeRecipe } from '../support/recipes.ts';

let installed: Installation;
beforeAll(async () => {
  installed = await installPackage({ types: false });
  for (const name of ['vitest', 'jest', '@playwright/test']) linkModule(installed.folder, name);
  for (const name of ['vitest', 'jest', 'playwright']) linkProgram(installed.folder, name);
}, 120_000);
afterAll(() => installed.remove());

/** The project of a client in which a recipe is followed. */
function project(heading: string): { readonly folder: string; readonly commands: readonly string[] } {
  const folder = installed.another(heading);
  return { folder, commands: writeRecipe(heading, folder) };
}

/** Runs a command as it stands. What is not there is not fetched. */
function inShell(command: string, folder: string): Promise<Ended> {
  return run(['-c', command], {
    program: ['sh'],
    cwd: folder,
    env: { npm_config_offline: 'true', NO_COLOR: '1' },
  });
}

describe('a recipe of docs/ci.md', () => {
  it.each([
    ['Vitest', /Tests\s+1 passed/],
    ['Jest', /Tests:\s+1 passed/],
    ['Playwright', /^\s*1 passed/m],
  ])('works as it stands with %s', async (heading, success) => {
    const { folder, commands } = project(heading);
    expect(commands).toHaveLength(1);
    const { code, out, err } = await inShell(commands[0] ?? '', folder);
    expect({ code, said: `${out}${err}` }).toEqual({
      code: 0,
      said: expect.stringMatching(success) as string,
    });
  });

  const python = hasPython();
  it.skipIf(!python)(
    `works with pytest's words${python ? '' : ' (skipped: there is no python3 here)'}`,
    async () => {
      const { folder } = project('pytest');
      // Stands for pytest: fixtures are generators, and tests name what they want.
      writeFileSync(join(folder, 'pytest.py'), 'def fixture(scope):\n    return lambda function: function\n');
      const runner = [
        'import conftest, inspect, test_instructors',
        'for name, test in [member for member in vars(test_instructors).items() if member[0].startswith("test_")]:',
        '    fixtures = {wanted: getattr(conftest, wanted)() for wanted in inspect.signature(test).parameters}',
        '    test(**{wanted: next(fixture) for wanted, fixture in fixtures.items()})',
        '    print([next(fixture, "over") for fixture in fixtures.values()], name)',
      ];
      const { code, out, err } = await run(['-c', runner.join('\n')], { program: ['python3'], cwd: folder });
      expect({ code, out, err }).toEqual({
        code: 0,
        out: "['over'] test_lists_the_instructors_of_the_school\n",
        err: '',
      });
    },
  );

  it('is a workflow that gives the action only what it takes', () => {
    const workflows = (recipes.get('GitHub Actions') ?? []).map(({ text }) => parse(text) as Workflow);
    const uses = workflows
      .flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps))
      .filter((step) => step.uses?.startsWith('OWNER/'));
    expect(uses.length).toBeGreaterThan(2);
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(uses.flatMap((step) => Object.keys(step.with ?? {}))),
    );
  });

  it('is a pipeline of GitLab that keeps the file that it writes', () => {
    const pipelines = (recipes.get('GitLab CI') ?? []).map(
      ({ text }) => parse(text) as Readonly<Record<'test', Pipeline>>,
    );
    expect(pipelines).toHaveLength(2);
    for (const { test } of pipelines)
      expect([...test.script, ...(test.after_script ?? [])].join('\n')).toContain(
        ` ${test.artifacts.reports.junit}`,
      );
  });

  it("asks a container for the image's port, and sets variables that stand for flags", () => {
    const [block] = recipes.get('Testcontainers') ?? [];
    const [, port = ''] = /^EXPOSE (\d+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    expect([...(block?.text.matchAll(/\b\d{4}\b/g) ?? [])].map(String)).toEqual([port, port, port]);
    const page = readFileSync('docs/ci.md', 'utf8');
    const variables = page.slice(page.indexOf('## Testcontainers')).match(/SANDBOX_\w+/g) ?? [];
    expect(variables).not.toHaveLength(0);
    expect(flags.map(variableOf)).toEqual(expect.arrayContaining(variables));
  });

  it('links to what there is', () => {
    const page = readFileSync('docs/ci.md', 'utf8');
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const anchors = new Set(
      [...recipes.keys()].map((heading) => `#${heading.toLowerCase().replaceAll(' ', '-')}`),
    );
    const isThere = (link: string): boolean =>
      link.startsWith('#') ? anchors.has(link) : existsSync(join('docs', link.replace(/#.*/, '')));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(7);
  });
});

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] }>
  >;
}

interface Pipeline {
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } };
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
