import { assumptionNames, assumptions, type PartialOptions } from '../assumptions.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { isObject } from '../contract/is-object.ts';
import { describe } from '../contract/violation.ts';
import { Misuse } from '../sandbox/misuse.ts';
import { readTextFile } from './text-file.ts';
import { parseYaml } from './yaml-text.ts';

/** The options in a file that maps `assume` to names with options. Throws Misuse where there is none, or where it does not fit. */
export async function readAssumeFile(path: string): Promise<PartialOptions> {
  const text = readTextFile(path);
  if (text === null) throw new Misuse(`There is no file ${path} for --assume-file. lp-sandbox calibrate writes one.`);
  const content = await parseYaml(text, path);
  if (!isObject(content) || !isObject(content['assume'])) {
    throw new Misuse(`${path} must map "assume" to assumptions with their options, as lp-sandbox calibrate writes it.`);
  }
  const stray = Object.keys(content).find((key) => key !== 'assume');
  if (stray !== undefined)
    throw new Misuse(`${path} must have nothing but "assume", but has "${stray}". Other settings belong in --config.`);
  const chosen = Object.entries(content['assume']).map(([name, option]) => checked(path, name, option));
  // Each name is an assumption's and each option one of its own, checked above.
  return Object.fromEntries(chosen);
}

function checked(path: string, name: string, option: unknown): readonly [string, string] {
  const known = assumptionNames.find((one) => one === name);
  if (known === undefined) {
    throw new Misuse(
      `${path}: there is no assumption "${name}".${didYouMean(name, assumptionNames)} Known: ${assumptionNames.join(', ')}.`,
    );
  }
  // YAML reads 20 as a number.
  const text = typeof option === 'number' ? String(option) : option;
  const options = Object.keys(assumptions[known].options);
  if (typeof text === 'string' && options.includes(text)) return [name, text];
  const given = typeof text === 'string' ? `${JSON.stringify(text)}.${didYouMean(text, options)}` : `${describe(option)}.`;
  throw new Misuse(`${path}: ${name} must be one of ${options.join(', ')}, but is ${given}`);
}
