import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillFailures } from '../../scripts/generate-failures.ts';
import { readDocument } from '../../src/contract/document.ts';
import { checkRule, checkScenario } from '../../src/faults/check-rule.ts';
import { faultGroups, faultNames } from '../../src/faults/index.ts';
import type { NewFaultRule } from '../../src/faults/rule.ts';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { learner, quiz } from '../support/demo.ts';
import { outputsOf, world } from '../support/world.ts';

const page = readFileSync('docs/failures.md', 'utf8');

/** A fenced block, and the heading that it stands under. */
interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, language = '', content = ''] of text.matchAll(/^#+ (.+)$|^```(\w+)\n([^]*?)\n```$/gm)) {
    if (title === undefined) blocks.push({ heading, language, text: content });
    else heading = title;
  }
  return blocks;
}

const blocks = blocksOf(page);

/** Each `curl` of the page, with what the page says that it prints and how it ends. */
const examples = blocks.flatMap(({ heading, language, text: command }, index) => {
  if (language !== 'sh' || !command.startsWith('curl ')) return [];
  const next = blocks[index + 1];
  const shown = next?.language === 'text' ? next.text.split('\n') : [];
  // What curl says of a failure differs between its versions; the number in it is its exit code.
  const complaints = shown.filter((line) => line.startsWith('curl: ('));
  const lines = shown.filter((line) => line !== '…' && !complaints.includes(line));
  return [{ heading, command, lines, code: Number(/\d+/.exec(complaints[0] ?? '')?.[0] ?? 0) }];
});

const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

function ofLanguage(language: string): readonly string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text);
}

describe('docs/failures.md', () => {
  it('has fresh generated blocks', () => {
    expect(fillFailures(page, readDocument('control'))).toBe(page);
  });

  it('begins with an example', () => {
    expect(page).toMatch(/^# .+\n\n```sh\ncurl /);
  });

  it('has a section for every fault, grouped as they are, with what is known of it and a curl that asks for it', () => {
    expect(headings.filter((heading) => faultNames.includes(heading.replaceAll('`', '')))).toEqual(faultNames.map((name) => `\`${name}\``));
    const firsts = Object.values(faultGroups).map(([first]) => headings.indexOf(`\`${first.name}\``));
    expect(firsts.map((place) => headings[place - 1])).toEqual(Object.keys(faultGroups).map((group) => `The ${group}`));
    for (const name of faultNames) {
      expect(page).toContain(`<!-- generated: fault ${name} -->`);
      const asking = examples.filter(({ heading }) => heading === `\`${name}\``).map(({ command }) => command);
      expect(asking, `curls of ${name}`).not.toEqual([]);
      for (const command of asking) expect(command).toMatch(new RegExp(`"fault\\.${name}[".]|'Sandbox-Fault: ${name}[';]`));
    }
  });

  it('shows what every curl comes to, and has none that is not run here', () => {
    expect(examples.filter(({ lines, code }) => lines.length === 0 && code === 0)).toEqual([]);
    expect(page.match(/curl (-|http)/g)).toHaveLength(examples.length);
  });

  it('leads nowhere that is not there', () => {
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll('`', '').replaceAll(' ', '-'));
    const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(faultNames.length);
    expect(anchors).toEqual(expect.arrayContaining(targets));
  });

  it('has a program that runs as it stands, in a folder with the scenario that the page tells how to write', async () => {
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
    await promisify(execFile)(process.execPath, ['--import', import.meta.resolve('tsx'), 'example.mts'], { cwd: folder });
  });

  it.each(ofLanguage('json'))('has a rule that can be added: %s', (text) => {
    expect(checkRule(JSON.parse(text))).toHaveProperty('rule');
  });

  it('has a rule whose ten bad minutes are as it says', async () => {
    const [, exact = ''] = ofLanguage('json');
    const { sandbox, call } = await world();
    // It was checked above.
    await sandbox.faults.add(JSON.parse(exact) as NewFaultRule);
    const statusOf = async (userId: string, school?: string): Promise<unknown> =>
      outputsOf(await call('submit-user-course-item', { courseItemId: quiz.itemId, userId, userEmail: learner.email }, school))[0]?.status;
    const submit = async (): Promise<unknown> => [await statusOf(learner.id), await statusOf('somebody-else')];
    expect([await submit(), await submit(), await submit()]).toEqual([
      ['ok', 'ok'],
      ['ok', 'ok'],
      ['error', 'ok'],
    ]);
    await sandbox.clock.advance({ seconds: 600 });
    expect([await submit(), await submit(), await submit()]).not.toContainEqual(['error', 'ok']);
  });

  it('has a scenario that fits', () => {
    const texts = ofLanguage('yaml');
    expect(texts).toHaveLength(1);
    expect(checkScenario('monday', parse(texts.join('')))).toHaveProperty('rules');
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

describe('a curl of docs/failures.md', () => {
  let server: SandboxServer;
  const printed = new Map<string, Printed>();

  // The sections all at once, each in a sandbox of its own; in a section one after the other, because a curl may build on those before.
  beforeAll(async () => {
    server = await startSandbox({ port: 0, limits: null });
    const sections = [...new Set(examples.map(({ heading }) => heading))].map(async (section, number) => {
      for (const { command } of examples.filter(({ heading }) => heading === section)) {
        const quiet = command.replace('curl ', 'curl --silent --show-error ').replace('http://127.0.0.1:4010', server.url);
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
        for (const [number, least] of durations.entries()) expect(Number(taken[number])).toBeGreaterThanOrEqual(least * 0.95);
        rest = rest.slice(place + 1);
      }
    },
  );
});

/** What a line of the page stands for: `…` for anything, a duration in seconds for any that is at least as long. */
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
