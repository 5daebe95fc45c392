import { parseArgs } from 'node:util';
import { didYouMean } from '../base/did-you-mean.ts';
import { SandboxError } from '../base/errors.ts';
import { shellWord } from '../base/shell-words.ts';
import type { Command, CommandFlag, Given } from './command.ts';
import { WrongNameError } from './error-text.ts';
import { noteLines, termLines } from './help-lines.ts';

/** The parsed command line. */
export type Request =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly given: Given;
      readonly program: readonly string[];
    }
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' };

/**
 * Parses the arguments. Throws SandboxError for an unknown command or flag, and for a flag without its value.
 */
export function understand(
  args: readonly string[],
  commands: readonly Command[],
  defaultCommand: Command,
): Request {
  const [first] = args;
  const named = first === undefined || first.startsWith('-') ? null : first;
  const command = named === null ? defaultCommand : commands.find(({ name }) => name === named);
  if (command === undefined) {
    const names = commands.map(({ name }) => name);
    throw new SandboxError(
      `Unknown command "${named}".${didYouMean(named ?? '', names)} Known: ${names.join(', ')}.`,
    );
  }
  const own = named === null ? args : args.slice(1);
  const end = command.takesProgram === true ? own.indexOf('--') : -1;
  const operands: string[] = [];
  const given = readFlags(end < 0 ? own : own.slice(0, end), command, operands);
  if (given.has('help')) return { kind: 'help', command: named === null ? null : command };
  if (given.has('version')) return { kind: 'version' };
  const program = end < 0 ? operands : own.slice(end + 1);
  if (command.takesProgram === true && program.length === 0) {
    throw new SandboxError(
      `${command.name} needs a command after --, for example: lp-sandbox ${command.name} -- npm test`,
    );
  }
  return { kind: 'run', command, given, program };
}

/** Adds the arguments that belong to no flag to the operands. */
function readFlags(args: readonly string[], command: Command, operands: string[]): Given {
  const known: readonly CommandFlag[] = [...command.flags, ...ofEvery];
  const options = Object.fromEntries(
    known.flatMap((flag) => namesOf(flag).map((name) => [name, { type: typeOf(flag) }])),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, readonly string[]>();
  const add = (name: string, ...values: readonly string[]): void =>
    void given.set(name, [...(given.get(name) ?? []), ...values]);
  let open: CommandFlag | null = null;
  for (const [place, token] of tokens.entries()) {
    if (token.kind === 'option-terminator') {
      open = null;
      continue;
    }
    if (token.kind === 'positional') {
      if (open !== null) add(open.name, token.value);
      else if (command.operands !== undefined) operands.push(token.value);
      else throw new SandboxError(superfluous(command, args, token.index));
      continue;
    }
    const flag = known.find((one) => namesOf(one).includes(token.name));
    if (flag === undefined) throw unknown(command.name, token.name, token.rawName, known);
    const { value, inlineValue = false } = token;
    const isThere =
      flag.several === undefined
        ? isOwnValue(value, inlineValue)
        : inlineValue || tokens[place + 1]?.kind === 'positional';
    if (flag.value !== null && flag.several !== 'none or more' && !isThere)
      throw new SandboxError(`--${flag.name} needs a value: --${flag.name} ${flag.value}.`);
    open = flag.several === undefined ? null : flag;
    if (value !== undefined || flag.several === undefined) add(flag.name, value ?? '');
    else add(flag.name);
  }
  return given;
}

function namesOf({ name, formerName }: CommandFlag): readonly string[] {
  return formerName === undefined ? [name] : [name, formerName];
}

/** Values of a flag that takes several are parsed as positional arguments. */
function typeOf({ value, several }: CommandFlag): 'string' | 'boolean' {
  return value !== null && several === undefined ? 'string' : 'boolean';
}

/** Whether the text is the flag's value and not the next flag. */
function isOwnValue(value: string | undefined, isInline: boolean): boolean {
  return value !== undefined && (isInline || !value.startsWith('--'));
}

const ofEvery: readonly CommandFlag[] = [
  { name: 'help', value: null, help: '' },
  { name: 'version', value: null, help: '' },
];

function unknown(
  command: string,
  name: string,
  written: string,
  known: readonly CommandFlag[],
): WrongNameError {
  const names = known.map((one) => one.name);
  const flags = names.map((one) => `--${one}`);
  return new WrongNameError(
    `${command} has no flag ${written}.${didYouMean(name, names)} Known: ${flags.join(' ')}.`,
    // Longer ones first, because one can begin with another.
    flags.toSorted((one, other) => other.length - one.length),
  );
}

/** Explains an unexpected argument. `place` is its index in `args`. */
function superfluous({ name, takesProgram }: Command, args: readonly string[], place: number): string {
  const argument = JSON.stringify(args[place]);
  if (takesProgram !== true) return `${name} does not accept the argument ${argument}.`;
  const meant = [...args.slice(0, place), '--', ...args.slice(place)].map(shellWord);
  return `${name} runs the command after --, but ${argument} comes before it. Did you mean: lp-sandbox ${name} ${meant.join(' ')}`;
}

/**
 * Returns the help for one command, or the general help. `columns` is the width of the terminal; null if the
 * output is no terminal.
 */
export function helpText(
  command: Command | null,
  commands: readonly Command[],
  defaultCommand: Command,
  columns: number | null = null,
): string {
  const shown = command ?? defaultCommand;
  const usage = [
    `lp-sandbox ${shown.name}`,
    ...(shown.operands === undefined ? [] : [shown.operands]),
    '[flags]',
    ...(shown.takesProgram === true ? ['-- CMD…'] : []),
  ];
  const summaries = commands.map(({ name, summary }) => [name, summary] as const);
  const overview = command === null ? ['Commands:', ...termLines(summaries, columns), ''] : [];
  const flags = shown.flags.map((flag) => [synopsis(flag), flag.help] as const);
  const notes = (shown.notes ?? []).flatMap((line) => noteLines(line, columns));
  const lines = [
    usage.join(' '),
    '',
    ...overview,
    `Flags of ${shown.name}:`,
    ...termLines(flags, columns),
    '  --help, --version',
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
  return `${lines.join('\n')}\n`;
}

function synopsis({ name, value }: CommandFlag): string {
  return value === null ? `--${name}` : `--${name} ${value}`;
}
