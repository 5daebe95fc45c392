import { parseArgs } from 'node:util';
import { didYouMean } from '../contract/did-you-mean.ts';
import { Misuse } from '../sandbox/misuse.ts';
import type { Command } from './command.ts';

/** What was asked for on the command line. */
export type Request =
  | { readonly kind: 'run'; readonly command: Command; readonly given: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' };

/** Understands the arguments. Throws Misuse for an unknown command or flag, and for a flag without its value. */
export function understand(args: readonly string[], commands: readonly Command[], standard: Command): Request {
  const [first] = args;
  const named = first === undefined || first.startsWith('-') ? null : first;
  const command = named === null ? standard : commands.find(({ name }) => name === named);
  if (command === undefined) {
    const names = commands.map(({ name }) => name);
    throw new Misuse(`There is no command "${named}".${didYouMean(named ?? '', names)} Known: ${names.join(', ')}.`);
  }
  const given = readFlags(named === null ? args : args.slice(1), command);
  if (given.has('help')) return { kind: 'help', command: named === null ? null : command };
  if (given.has('version')) return { kind: 'version' };
  return { kind: 'run', command, given };
}

function readFlags(args: readonly string[], { name, flags }: Command): ReadonlyMap<string, readonly string[]> {
  const known = [...flags, { name: 'help', value: null }, { name: 'version', value: null }];
  const options = Object.fromEntries(
    known.map((flag) => [flag.name, { type: flag.value === null ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw new Misuse(`${name} takes no argument ${JSON.stringify(token.value)}.`);
    const flag = known.find((one) => one.name === token.name);
    const names = known.map((one) => one.name);
    if (flag === undefined) {
      throw new Misuse(
        `${name} has no flag ${token.rawName}.${didYouMean(token.name, names)} Known: ${names.map((one) => `--${one}`).join(' ')}.`,
      );
    }
    const { value } = token;
    const valueMissing = value === undefined || (!token.inlineValue && value.startsWith('--'));
    if (flag.value !== null && valueMissing) throw new Misuse(`--${flag.name} needs a value: --${flag.name} ${flag.value}.`);
    given.set(flag.name, [...(given.get(flag.name) ?? []), value ?? '']);
  }
  return given;
}

/** The help for one command, or the whole of it. */
export function helpText(command: Command | null, commands: readonly Command[], standard: Command): string {
  const shown = command ?? standard;
  const width = Math.max(...shown.flags.map((flag) => synopsis(flag).length));
  const lines = shown.flags.map((flag) => `  ${synopsis(flag).padEnd(width)}  ${flag.help}`);
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`);
  const overview = command === null ? `Commands:\n${list.join('\n')}\n\n` : '';
  return `lp-sandbox ${shown.name} [flags]\n\n${overview}Flags of ${shown.name}:\n${lines.join('\n')}\n  --help, --version\n`;
}

function synopsis({ name, value }: Command['flags'][number]): string {
  return value === null ? `--${name}` : `--${name} ${value}`;
}
