import { didYouMean } from '../base/did-you-mean.ts';
import { isObject } from '../base/is-object.ts';
import { describe } from '../base/violation.ts';
import { SandboxError } from '../base/errors.ts';
import { readNamedFile, readTextFile } from '../store/text-file.ts';
import { parseYaml } from '../store/yaml-text.ts';
import type { Settings } from '../server/server.ts';
import { Gathering } from '../settings/gather.ts';
import { serverRules } from '../server/settings.ts';
import type { CommandFlag, Given } from './command.ts';
import { flags, type Flag } from './flags.ts';

/** The configuration file that is read if it exists and no other is named. */
const usualFile = 'sandbox.config.yaml';

/**
 * Combines the settings: a flag takes precedence over a variable, a variable over the file. Throws
 * SandboxError with all errors. `readsEnvironment` selects the settings that a command reads from variables
 * and the file.
 */
export async function readSettings(
  given: Given,
  environment: NodeJS.ProcessEnv,
  readsEnvironment: (flag: Flag) => boolean = () => true,
): Promise<Settings> {
  const [named] = given.get('config') ?? [environment['SANDBOX_CONFIG']];
  const file = named ?? usualFile;
  const gathering = new Gathering(serverRules);
  const take = ({ setting, isNegated }: Flag, name: string, texts: readonly string[]): void => {
    for (const text of texts) gathering.takeText(setting, name, text, isNegated);
  };
  for (const [key, value] of await readFile(named)) {
    const flag = flags.find(({ name }) => name === key);
    const texts = textsOf(value);
    if (flag === undefined) gathering.refuse(unknownKey(key, file));
    else if (texts === null)
      gathering.refuse(`${file}: ${key} must have a value, but is ${describe(value)}.`);
    else if (readsEnvironment(flag)) take(flag, `${file}: ${key}`, texts);
  }
  for (const flag of flags.filter(readsEnvironment)) {
    const variable = environment[variableOf(flag)];
    if (variable !== undefined && variable !== '') take(flag, variableOf(flag), [variable]);
  }
  for (const flag of flags) take(flag, `--${flag.name}`, given.get(flag.name) ?? []);
  return gathering.settings();
}

/** Returns the flags for the help, with the names of their variables. */
export function withVariables(
  shown: readonly Flag[],
  fromAfar: (flag: Flag) => boolean = () => true,
): readonly CommandFlag[] {
  return shown.map((flag) =>
    fromAfar(flag) ? { ...flag, help: `${flag.help}  [${variableOf(flag)}]` } : flag,
  );
}

/** The flag that names the configuration file. */
export const configFlag: CommandFlag = {
  name: 'config',
  value: 'FILE',
  help: 'configuration file (default: sandbox.config.yaml, if it exists)',
};

export function variableOf({ name }: Flag): string {
  return `SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`;
}

async function readFile(named: string | undefined): Promise<readonly (readonly [string, unknown])[]> {
  const text = named === undefined ? readTextFile(usualFile, '--config') : readNamedFile(named, '--config');
  if (text === null) {
    if (named !== undefined) throw new SandboxError(`Configuration file ${named} not found.`);
    return [];
  }
  const file = named ?? usualFile;
  const content = await parseYaml(text, file);
  if (content === null) return [];
  if (!isObject(content))
    throw new SandboxError(`${file} must map settings to values, but is ${describe(content)}.`);
  return Object.entries(content);
}

function unknownKey(key: string, file: string): string {
  const names = flags.map(({ name }) => name);
  return `${file} has an unknown setting "${key}".${didYouMean(key, names)} Known: ${names.join(', ')}.`;
}

/**
 * Returns a value of the file as command-line texts: a list gives several, a mapping gives NAME=VALUE. Null
 * for any other value.
 */
function textsOf(value: unknown): readonly string[] | null {
  if (Array.isArray(value))
    return value.some((member) => textsOf(member) === null)
      ? null
      : value.flatMap((member) => textsOf(member) ?? []);
  if (isObject(value)) return Object.entries(value).map(([name, option]) => `${name}=${String(option)}`);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [String(value)];
  return null;
}
