import type { PartialOptions } from '../assumptions.ts';
import { isObject } from '../base/is-object.ts';
import { SandboxError, joinErrors } from '../base/errors.ts';
import { assumptionRule } from '../settings/assumption-rules.ts';
import { wrongWithMember } from '../settings/value-rule.ts';
import { readTextFile } from './text-file.ts';
import { parseYaml } from './yaml-text.ts';

/**
 * Reads assumptions from a file that maps `assume` to names with options. Rejects with SandboxError if it is
 * missing or invalid.
 */
export async function readAssumeFile(path: string): Promise<PartialOptions> {
  const text = readTextFile(path);
  if (text === null)
    throw new SandboxError(`There is no file ${path} for --assume-file. lp-sandbox calibrate writes one.`);
  const content = await parseYaml(text, path);
  if (!isObject(content) || !isObject(content['assume'])) {
    throw new SandboxError(
      `${path} must map "assume" to assumptions with their options, as lp-sandbox calibrate writes it.`,
    );
  }
  const stray = Object.keys(content).find((key) => key !== 'assume');
  if (stray !== undefined)
    throw new SandboxError(
      `${path} must have only "assume", but has "${stray}". Other settings belong in --config.`,
    );
  // YAML reads 20 as a number.
  const chosen = Object.entries(content['assume']).map(
    ([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const,
  );
  const wrong = chosen.flatMap(([name, option]) => {
    const message = wrongWithMember(assumptionRule, name, option);
    return message === null ? [] : [new SandboxError(`${path}: ${name} ${message}`)];
  });
  if (wrong.length > 0) throw joinErrors(wrong);
  // The names and options were checked above.
  return Object.fromEntries(chosen);
}
