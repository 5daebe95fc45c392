import { templateSettings, type PartialOptions } from '../assumptions.ts';
import { isObject } from '../base/is-object.ts';
import { SandboxError, joinErrors } from '../base/errors.ts';
import { describe } from '../base/violation.ts';
import { flagOf } from '../settings/refusal-templates.ts';
import { assumptionRule } from '../settings/assumption-rules.ts';
import { wrongWithMember } from '../settings/value-rule.ts';
import type { TextsOrFiles } from './read-template.ts';
import { readNamedFile } from './text-file.ts';
import { parseYaml } from './yaml-text.ts';

/** The content of an assume file. */
export interface AssumeFile {
  readonly options: PartialOptions;
  /** Texts of the option `template`, or the paths of files with them. */
  readonly templates: TextsOrFiles;
}

/**
 * Reads assumptions from a file that maps `assume` to names with options, and may have templates. Nothing if there is
 * no path. Rejects with SandboxError if it is missing or invalid.
 */
export async function readAssumeFile(path: string | undefined, flag = '--assume-file'): Promise<AssumeFile> {
  if (path === undefined) return { options: {}, templates: {} };
  const text = readNamedFile(path, flag);
  if (text === null)
    throw new SandboxError(`There is no file ${path} for ${flag}. lp-sandbox calibrate writes one.`);
  const content = await parseYaml(text, path);
  if (!isObject(content) || !isObject(content['assume'])) {
    throw new SandboxError(
      `${path} must map "assume" to assumptions with their options, as lp-sandbox calibrate writes it.`,
    );
  }
  const settings = Object.values(templateSettings);
  const stray = Object.keys(content).find(
    (key) => key !== 'assume' && !settings.some((setting) => flagOf(setting) === key),
  );
  if (stray !== undefined)
    throw new SandboxError(
      `${path} must have only "assume" and templates, but has "${stray}". Other settings belong in --config.`,
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
  const templates = settings.flatMap((setting) => {
    const text = content[flagOf(setting)];
    if (text === undefined) return [];
    if (typeof text !== 'string')
      throw new SandboxError(`${path}: ${flagOf(setting)} must be text, but is ${describe(text)}.`);
    return [[setting, text] as const];
  });
  // The names and options were checked above.
  return { options: Object.fromEntries(chosen), templates: Object.fromEntries(templates) };
}
