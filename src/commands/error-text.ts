import { messageOf } from '../base/message-of.ts';
import { SandboxError } from '../base/errors.ts';
import { printable } from '../base/escape.ts';
import { maskExcept, maskFor } from '../upstream/key-mask/key-mask.ts';
import { isFile } from '../store/text-file.ts';

/** The flags and variables that can have a key of the real service. */
const keyFlags: ReadonlySet<string> = new Set(['--api-key', '--second-key', '--other-key', '--key']);
const keyVariables = ['UPSTREAM_API_KEY', 'UPSTREAM_SECOND_KEY', 'UPSTREAM_OTHER_KEY'] as const;

/** Wrong usage. The message lists names of the sandbox, which are shown even if a key has the same words. */
export class WrongNameError extends SandboxError {
  readonly names: readonly string[];

  constructor(message: string, names: readonly string[]) {
    super(message);
    this.names = names;
  }
}

/**
 * Returns the message of an error that ends a command, without any part of a key of the real service. An error can
 * quote any argument, and a key may be in one by mistake: in a URL, in the name of a file, or without its flag.
 */
export function errorText(error: unknown, args: readonly string[], environment: NodeJS.ProcessEnv): string {
  const message = messageOf(error);
  const names = error instanceof WrongNameError ? error.names : [];
  // It can also quote a service, whose text must not control the terminal.
  return printable(maskExcept(maskFor(keysGiven(args, environment)), names)(message));
}

function keysGiven(args: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const ofFlags = own.flatMap((arg, at): readonly string[] => {
    const [flag = '', ...inline] = arg.split('=');
    if (!keyFlags.has(flag)) return [];
    const value = inline.length > 0 ? inline.join('=') : (own[at + 1] ?? '');
    // --key is a file, or a key by mistake.
    return value.startsWith('--') || (flag === '--key' && isFile(value)) ? [] : [value];
  });
  return [...ofFlags, ...keyVariables.map((name) => environment[name] ?? '')].filter((key) => key !== '');
}
