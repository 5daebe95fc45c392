import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { examples, ofLanguage } from './failures-page.ts';

it('the pages about failures have a program that runs as it is written, in a folder with the scenario of the page', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'monday.yaml'), ofLanguage('yaml').join('\n'));
  const program = ofLanguage('ts').join('\n');
  expect(program).toContain("'learning-platform-sandbox'");
  const index = new URL('../../src/index.ts', import.meta.url).href;
  // The page says in a comment what it is called.
  const checked = `${program.replace("'learning-platform-sandbox'", JSON.stringify(index))}
const again = await server.createSandbox({ scenario: './monday.yaml' });
if ((await again.scenario.current()) !== 'monday') throw new Error('It has another name.');`;
  writeFileSync(join(folder, 'example.mts'), checked);
  await promisify(execFile)(process.execPath, ['--import', import.meta.resolve('tsx'), 'example.mts'], {
    cwd: folder,
  });
});

/** How a command ended, and what it wrote. */
interface Printed {
  readonly code: number;
  readonly output: string;
}

function sh(command: string): Promise<Printed> {
  return new Promise((done) => {
    execFile('sh', ['-c', command], (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}\n${stderr}` });
    });
  });
}

describe('a curl of the pages about failures', () => {
  let server: SandboxServer;
  const printed = new Map<string, Printed>();

  // The sections all at once, each in a sandbox of its own; in a section one after the other, because a curl
  // may build on those before.
  beforeAll(async () => {
    server = await startSandbox({ port: 0, limits: null });
    const sections = [...new Set(examples.map(({ heading }) => heading))].map(async (section, number) => {
      for (const { command } of examples.filter(({ heading }) => heading === section)) {
        const quiet = command
          .replace('curl ', 'curl --silent --show-error ')
          .replace('http://127.0.0.1:4010', server.url);
        printed.set(`${section} ${command}`, await sh(quiet.replace('sbx_default_', `sbx_page-${number}_`)));
      }
    });
    await Promise.all(sections);
  });
  afterAll(() => server.close());

  it.each(examples.map((example) => [example.heading, example] as const))(
    'prints what it says: %s',
    (heading, { command, lines, code }) => {
      const { output, ...ended } = printed.get(`${heading} ${command}`) ?? { output: '', code: -1 };
      expect({ ...ended, output }).toEqual({ code, output });
      let rest = output.split(/\r?\n/);
      for (const line of lines) {
        const { pattern, durations } = readShown(line);
        const place = rest.findIndex((text) => pattern.test(text));
        expect(place, `${JSON.stringify(line)} in ${JSON.stringify(rest)}`).not.toBe(-1);
        const taken = pattern.exec(rest[place] ?? '')?.slice(1) ?? [];
        // A hair less, because curl and the server read different clocks.
        for (const [number, least] of durations.entries())
          expect(Number(taken[number])).toBeGreaterThanOrEqual(least * 0.95);
        rest = rest.slice(place + 1);
      }
    },
  );
});

/**
 * What a line of the page stands for: `…` for anything, a duration in seconds for any that is at least as
 * long.
 */
function readShown(line: string): { readonly pattern: RegExp; readonly durations: readonly number[] } {
  const durations: number[] = [];
  const source = line.replaceAll(/…|\d+\.\d+(?= s\b)|[\\^$.*+?()[\]{}|]/g, (part) => {
    if (part === '…') return '.*';
    if (part.length === 1) return `\\${part}`;
    durations.push(Number(part));
    return String.raw`(\d+\.\d+)`;
  });
  return { pattern: new RegExp(`^${source}$`, 's'), durations };
}
