import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { run } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'suites-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Each prints how many tests passed. */
const suites = [
  {
    runner: 'Vitest',
    command: [
      'npx',
      'vitest',
      'run',
      '--root',
      `${here}vitest`,
      '--config',
      `${here}vitest/vitest.config.ts`,
    ],
    passed: /100 passed/,
  },
  {
    runner: 'pytest',
    // Debian's own, which has python3-pytest and python3-requests.
    command: ['/usr/bin/python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', `${here}pytest`],
    passed: /100 passed/,
  },
  {
    runner: 'Go',
    command: ['sh', '-c', `cd '${here}go' && go test -v -count=1 ./...`],
    passed: /ok\s+platform/,
  },
] as const;

interface Finding {
  readonly id: string;
  /** The test that it names. */
  readonly scope: string | null;
}

/** The beginning of the id of each planted finding, and a part of the name of its test. */
const planted = [
  ['violations:get-quiz-detials:', /misspells/i],
  ['violations:get-instructor-permission-presets:/data/*/data/pageNumber:', /number/i],
  ['unsafe-repeats:submit-user-course-item:', /twice/i],
  ['key-secrecy:get-all-instructors:', /query/i],
  ['undocumented-fields:get-course-item-data:traceId:', /documented/i],
] as const;

function findingsIn({ conduct, violations }: Report): readonly Finding[] {
  const broken = violations.flatMap(({ id, scopes }) => scopes.map((scope) => ({ id, scope })));
  const found = conduct
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'advised')
    .flatMap(({ findings }) => findings.map(({ id, scope }) => ({ id, scope })));
  return [...broken, ...found];
}

describe('a suite of 100 tests without faults', () => {
  it.each(suites)(
    'with $runner has its planted findings, each in its test, and no other',
    async ({ runner, command, passed }) => {
      const file = join(folder, `${runner}.json`);
      const { code, out, err } = await run(['exec', '--report', file, '--', ...command], {
        cwd: root,
        env: { CASES: `${here}cases.json`, PYTHONDONTWRITEBYTECODE: '1' },
      });
      expect(code, `${out}\n${err}`).toBe(0);
      expect(out).toMatch(passed);
      // Written by the program that is tested.
      const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
      expect(findingsIn(report)).toEqual(
        planted.map(([start, test]) => ({
          id: expect.stringMatching(new RegExp(`^${start.replaceAll('*', String.raw`\*`)}`)),
          scope: expect.stringMatching(test),
        })),
      );
    },
  );
});
