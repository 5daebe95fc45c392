import { describe, expect, it } from 'vitest';
import { helpText, understand, type Request } from '../../src/commands/arguments.ts';
import { flags } from '../../src/commands/flags.ts';
import { ready } from '../../src/commands/ready.ts';
import { variableOf } from '../../src/commands/settings.ts';
import { start } from '../../src/commands/start.ts';
import { Misuse } from '../../src/sandbox/misuse.ts';

const commands = [start, ready];
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
    expect(understood('start', '--assume', 'a=b', '--port=0', '--assume=c=d', '--no-auto-create')).toMatchObject({
      given: new Map([
        ['assume', ['a=b', 'c=d']],
        ['port', ['0']],
        ['no-auto-create', ['']],
      ]),
    });
  });

  it.each([
    ['an unknown command', ['stat'], 'There is no command "stat". Did you mean "start"? Known: start, ready.'],
    ['a command far from any', ['launch'], 'There is no command "launch". Known: start, ready.'],
    ['an unknown flag', ['--prt', '1'], 'start has no flag --prt. Did you mean "port"? Known: --port --host '],
    ['an unknown short flag', ['-p', '1'], 'start has no flag -p.'],
    ['a flag of another command', ['ready', '--port', '1'], 'ready has no flag --port. Known: --wait --timeout --url --help --version.'],
    ['a flag without its value', ['start', '--port'], '--port needs a value: --port N.'],
    ['a flag before another', ['start', '--port', '--host', 'x'], '--port needs a value: --port N.'],
    ['an argument that belongs to nothing', ['start', 'demo'], 'start takes no argument "demo".'],
    ['an argument after --', ['start', '--', 'demo'], 'start takes no argument "demo".'],
  ])('refuses %s', (_, args, message) => {
    expect(() => understood(...args)).toThrow(Misuse);
    expect(() => understood(...args)).toThrow(message);
  });

  it.each([
    [['--help'], { kind: 'help', command: null }],
    [['ready', '--help'], { kind: 'help', command: ready }],
    [['start', '--help', '--port', '1'], { kind: 'help', command: start }],
    [['--version'], { kind: 'version' }],
    [['start', '--version'], { kind: 'version' }],
  ])('%s asks for words only', (args, request) => {
    expect(understood(...args)).toEqual(request);
  });
});

describe('the help', () => {
  it('lists the commands, and every flag of start with its variable', () => {
    const text = helpText(null, commands, start);
    expect(text).toMatch(/^lp-sandbox start \[flags\]\n\nCommands:\n {2}start +serve .*\n {2}ready +exit 0 when/);
    for (const flag of flags) {
      const line = text.split('\n').find((one) => one.startsWith(`  --${flag.name} `));
      expect(line).toContain(flag.help);
      expect(line).toContain(`[${variableOf(flag)}]`);
    }
    expect(text).toContain('--config FILE');
    expect(text).toMatch(/--help, --version\n$/);
  });

  it('for one command lists its flags only', () => {
    const text = helpText(ready, commands, start);
    expect(text).toMatch(/^lp-sandbox ready \[flags\]\n\nFlags of ready:\n {2}--wait /);
    expect(text).not.toContain('--port');
  });
});
