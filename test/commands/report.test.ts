import { existsSync, mkdirSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxError } from '../../src/base/errors.ts';
import { report as command } from '../../src/commands/report/command.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { makeReport, type Report } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from '../report/entries.ts';
import { temporaryFolder } from '../support/command.ts';
import { expectFits } from '../support/control.ts';
import { invoke } from '../support/invocation.ts';

/** The report on one call. */
function reportOn(sandbox: string, sketch: Partial<Sketch> = {}, wrong?: string): Report {
  const [entry] = entriesOf([{ ms: 0, ...sketch }]);
  if (entry === undefined) throw new Error('There is no entry.');
  const violations = wrong === undefined ? [] : [{ pointer: '/data', message: wrong }];
  return makeReport(sandbox, { entries: [{ ...entry, violations }], evicted: 0 });
}

/** A folder with files, and their paths. */
function files<N extends string>(contents: Readonly<Record<N, unknown>>): Readonly<Record<N, string>> {
  const folder = temporaryFolder();
  const paths = Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return [name, path];
  });
  // It has the names of the contents.
  return Object.fromEntries(paths) as Readonly<Record<N, string>>;
}

async function merge(args: readonly string[]) {
  const { code, said } = invoke(command, ['merge', ...args]);
  return { code: await code, ...said() };
}

describe('lp-sandbox report merge', () => {
  it('merges files into a report in every format', { tags: ['slow'] }, async () => {
    const { a, b } = files({
      a: reportOn('a'),
      b: reportOn('b', { operation: 'list-assignments' }),
    });
    const folder = temporaryFolder();
    const written = ['all.json', 'all.html', 'all.xml', 'all.md'].map((name) => join(folder, name));
    const { code, out, err } = await merge([a, b, '--report', ...written]);
    expect(code).toBe(0);
    expect(out).toContain(`calls       2 to 2 of ${operationNames.length} operations`);
    expect(err).toBe(`lp-sandbox: wrote ${written.join(', ')}\n`);
    const all = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as Report;
    expectFits('Report', all);
    expect(all).toMatchObject({ sandbox: 'a, b', calls: 2, situations: { met: 2 } });
  });

  it('reads the files that it writes, and those of matrix', { tags: ['slow'] }, async () => {
    const { a, b } = files({ a: reportOn('a'), b: { runs: [], report: reportOn('b') } });
    const first = join(temporaryFolder(), 'first.json');
    await merge([a, b, '--report', first]);
    expect((await merge([first, a])).out).toContain(
      `calls       3 to 1 of ${operationNames.length} operations`,
    );
  });

  it(
    'says of which file a request is, if several have a sandbox with the same name',
    { tags: ['slow'] },
    async () => {
      const wrong = reportOn('default', {}, 'is required, but missing.');
      const { one, two } = files({ one: wrong, two: wrong });
      const out = join(temporaryFolder(), 'out.json');
      const idsOf = async (...paths: readonly string[]) => {
        await merge([...paths, '--report', out]);
        return (JSON.parse(readFileSync(out, 'utf8')) as Report).violations.map(
          ({ requestIds }) => requestIds,
        );
      };
      expect(await idsOf(one, two)).toEqual([['one/default-1', 'two/default-1']]);
      const { one: sameName } = files({ one: wrong });
      expect(await idsOf(one, sameName)).toEqual([['1/default-1', '2/default-1']]);
      const { other } = files({ other: reportOn('other') });
      expect(await idsOf(one, other)).toEqual([['default-1']]);
    },
  );

  it('counts a file once that is given twice, and says so', { tags: ['slow'] }, async () => {
    const { a, b } = files({ a: reportOn('a'), b: reportOn('b') });
    const link = join(temporaryFolder(), 'link.json');
    symlinkSync(a, link);
    const { out, err } = await merge([a, b, a, link]);
    expect(out).toContain(`calls       2 to 1 of ${operationNames.length} operations`);
    expect(err).toBe(
      [a, link].map((path) => `lp-sandbox: ${path} is the same file as ${a}. It counts once.\n`).join(''),
    );
  });

  it('applies thresholds to all reports together', { tags: ['slow'] }, async () => {
    const { a, b } = files({ a: reportOn('a'), b: reportOn('b', {}, 'is required, but missing.') });
    const [known] = reportOn('b', {}, 'is required, but missing.').violations;
    expect((await merge([a, '--fail-on', 'violations'])).code).toBe(0);
    const failed = await merge([a, b, '--fail-on', 'violations']);
    expect([failed.code, failed.err]).toEqual([
      3,
      `lp-sandbox: The client violated the contract once: ${known?.id}\n`,
    ]);
    const allowed = ['--allow', 'violations:get-quiz-details'];
    expect((await merge([a, b, '--fail-on', 'violations', ...allowed])).code).toBe(0);
    expect((await merge([a, '--min-coverage', '3'])).code).toBe(3);
    const more = files({ other: reportOn('c', { operation: 'list-assignments' }) });
    expect((await merge([a, more.other, '--min-coverage', '3'])).code).toBe(0);
  });

  it('writes a baseline that it reads', { tags: ['slow'] }, async () => {
    const { b } = files({ b: reportOn('b', {}, 'is required, but missing.') });
    const baseline = join(temporaryFolder(), 'findings.json');
    expect((await merge([b, '--fail-on', 'violations', '--write-baseline', baseline])).code).toBe(0);
    expect((await merge([b, '--fail-on', 'violations', '--baseline', baseline])).code).toBe(0);
  });

  it(
    'names every file that it cannot merge, with the reason, and writes nothing',
    { tags: ['slow'] },
    async () => {
      const good = reportOn('a');
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'folder'));
      const { text, foreign, older, newer, broken, situations, a } = files({
        a: good,
        text: 'no JSON',
        foreign: { tests: 7 },
        older: { ...good, version: undefined },
        newer: { ...good, version: 2, more: true },
        broken: { ...good, calls: 'many' },
        situations: { ...good, situations: { ...good.situations, of: 12 } },
      });
      const missing = join(folder, 'missing.json');
      const all = [a, missing, join(folder, 'folder'), text, foreign, older, newer, broken, situations];
      const out = join(folder, 'out.json');
      const failed = merge([...all, '--report', out]);
      await expect(failed).rejects.toThrow(SandboxError);
      const message = await failed.then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(message.split('\n').slice(1)).toEqual([
        `  ${missing} does not exist, or is not a file.`,
        `  ${join(folder, 'folder')} does not exist, or is not a file.`,
        `  ${text} is not JSON. Create it with --report FILE.json.`,
        `  ${foreign} is not a report of lp-sandbox. Create it with --report FILE.json.`,
        `  ${older} was written by an older lp-sandbox: it has no version, but this program reads version 1. Create it again.`,
        `  ${newer} was written by a newer lp-sandbox: it has version 2, but this program reads version 1.`,
        `  ${broken} is not a valid report: /calls must be an integer, but is the string "many".`,
        expect.stringMatching(
          / has 12 situations instead of \d+, so another version of lp-sandbox wrote it\./,
        ),
      ]);
      expect(existsSync(out)).toBe(false);
    },
  );

  it.each([
    [[], 'report merge needs the files to merge'],
    [['merge'], 'report merge needs the files to merge'],
    [['merge', '--report', 'out.json'], 'report merge needs the files to merge'],
    [['merg', 'a.json'], 'Unknown action "merg". Did you mean "merge"? Known: merge.'],
    [['merge', 'a.json', '--report', 'out.pdf'], '--report "out.pdf" must end in one of'],
    [['merge', 'a.json', '--fail-on', 'limit'], 'Did you mean "limits"?'],
    [['merge', 'a.json', '--port', '1'], 'report has no flag --port.'],
  ])('refuses wrong usage: %j', async (args, message) => {
    const { code } = invoke(command, args);
    await expect(code).rejects.toThrow(SandboxError);
    await expect(code).rejects.toThrow(message);
  });
});
