import { describe, expect, it } from 'vitest';
import { helpText, understand, type Request } from '../../src/commands/arguments.ts';
import { calibrate } from '../../src/commands/calibrate/command.ts';
import { exec } from '../../src/commands/exec/command.ts';
import { flags } from '../../src/commands/flags.ts';
import { matrix } from '../../src/commands/matrix/command.ts';
import { ready } from '../../src/commands/ready/command.ts';
import { variableOf } from '../../src/commands/settings.ts';
import { start } from '../../src/commands/start/command.ts';
import { SandboxError } from '../../src/base/errors.ts';

const commands = [start, exec, matrix, ready];
const understood = (...args: readonly string[]): Request => understand(args, commands, start);

describe('the command line', () => {
  it.each([
    ['nothing', [], 'start'],
    ['a flag alone', ['--port', '0'], 'start'],
    ['start', ['start'], 'start'],
    ['ready', ['ready', '--wait'], 'ready'],
  ])('with %s runs a command', (_, args, name) => {
    expect(understood(...args)).toMatchObject({ kind: 'run', command: { name } });
  });

  it('gathers what a flag is given', () => {
    expect(
      understood('start', '--assume', 'a=b', '--port=0', '--assume=c=d', '--no-auto-create'),
    ).toMatchObject({
      given: new Map([
        ['assume', ['a=b', 'c=d']],
        ['port', ['0']],
        ['no-auto-create', ['']],
      ]),
    });
  });

  it('leaves all that stands behind the first -- to the program that a command runs', () => {
    expect(understood('exec', '--seed', 'empty', '--', 'npm', 'test', '--', '--help')).toMatchObject({
      given: new Map([['seed', ['empty']]]),
      program: ['npm', 'test', '--', '--help'],
    });
  });

  it('takes as many values behind a flag as it may have, up to the next flag', () => {
    const args = [
      '--report',
      'a.json',
      'b.md',
      '--jobs',
      '2',
      '--report=c.xml',
      'd.xml',
      '--allow',
      '--profiles',
      '--only',
      'strict',
    ];
    expect(understood('matrix', ...args, '--', 'x')).toMatchObject({
      given: new Map([
        ['report', ['a.json', 'b.md', 'c.xml', 'd.xml']],
        ['jobs', ['2']],
        ['allow', []],
        ['profiles', ['']],
        ['only', ['strict']],
      ]),
    });
    expect(understood('matrix', '--allow', 'a', 'b', '--allow=c', '--', 'x')).toMatchObject({
      given: new Map([['allow', ['a', 'b', 'c']]]),
    });
  });

  it.each([
    [
      'an unknown command',
      ['stat'],
      'Unknown command "stat". Did you mean "start"? Known: start, exec, matrix, ready.',
    ],
    ['a command far from any', ['launch'], 'Unknown command "launch". Known: start, exec, matrix, ready.'],
    [
      'an unknown flag',
      ['--prt', '1'],
      'start has no flag --prt. Did you mean "port"? Known: --port --host ',
    ],
    ['an unknown short flag', ['-p', '1'], 'start has no flag -p.'],
    [
      'a flag of another command',
      ['ready', '--port', '1'],
      'ready has no flag --port. Known: --wait --timeout --url --help --version.',
    ],
    ['a flag without its value', ['start', '--port'], '--port needs a value: --port N.'],
    ['a flag before another', ['start', '--port', '--host', 'x'], '--port needs a value: --port N.'],
    ['an argument that belongs to nothing', ['start', 'demo'], 'start does not accept the argument "demo".'],
    ['an argument after --', ['start', '--', 'demo'], 'start does not accept the argument "demo".'],
  ])('refuses %s', (_, args, message) => {
    expect(() => understood(...args)).toThrow(SandboxError);
    expect(() => understood(...args)).toThrow(message);
  });

  it.each([
    [['--help'], { kind: 'help', command: null }],
    [['ready', '--help'], { kind: 'help', command: ready }],
    [['start', '--help', '--port', '1'], { kind: 'help', command: start }],
    [['exec', '--help'], { kind: 'help', command: exec }],
    [['--version'], { kind: 'version' }],
    [['start', '--version'], { kind: 'version' }],
  ])('%s asks for words only', (args, request) => {
    expect(understood(...args)).toEqual(request);
  });
});

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('the help', () => {
  it('lists the commands, and every flag of start with its variable', () => {
    const text = helpText(null, commands, start);
    expect(text).toMatch(
      /^lp-sandbox start \[flags\]\n\nCommands:\n {2}start +run .*\n {2}exec +run .*\n {2}matrix +run .*\n {2}ready +exit with 0 if/,
    );
    for (const flag of flags) {
      const line = text.split('\n').find((one) => one.startsWith(`  --${flag.name} `));
      expect(line).toContain(flag.help);
      expect(line).toContain(`[${variableOf(flag)}]`);
    }
    expect(text).toContain('--config FILE');
    expect(text).toMatch(/--help, --version\n$/);
  });

  it('shows where the program stands, and which variables a server for one run heeds', () => {
    const text = helpText(exec, commands, start);
    expect(text).toMatch(/^lp-sandbox exec \[flags\] -- CMD…\n\nFlags of exec:\n {2}--report FILE… /);
    expect(text).toMatch(/--seed NAME\|DIR .*\[SANDBOX_SEED\]\n/);
    expect(text).toMatch(/--port N +port to listen on \(default: a free one\)\n/);
    expect(helpText(matrix, commands, start)).toMatch(/^lp-sandbox matrix \[flags\] -- CMD…\n/);
  });

  it.each([40, 60, 80, 120, 200])('fits into a terminal of %d columns, with the same words', (columns) => {
    for (const command of [null, exec, matrix, ready, calibrate]) {
      const wrapped = helpText(command, commands, start, columns);
      expect(words(wrapped)).toBe(words(helpText(command, commands, start)));
      // A word that is longer than its column has a line of its own.
      const wide = wrapped.split('\n').filter((line) => line.length > columns && /\S +\S/.test(line.trim()));
      expect(wide).toEqual([]);
    }
  });

  it('begins the further lines of a text below the text, not below its flag', () => {
    const lines = helpText(null, commands, start, 80).split('\n');
    const place = lines.findIndex((line) => line.startsWith('  --data-sync WHEN'));
    const column = lines[place]?.indexOf('when changes') ?? 0;
    expect(lines[place + 1]?.slice(0, column).trim()).toBe('');
    expect(lines[place + 1]?.charAt(column)).toMatch(/\S/);
  });

  it('for one command lists its flags only', () => {
    const text = helpText(ready, commands, start);
    expect(text).toMatch(/^lp-sandbox ready \[flags\]\n\nFlags of ready:\n {2}--wait /);
    expect(text).not.toContain('--port');
  });
});
