import { chooseOptions, type Options, type PartialOptions, type ProfileName } from '../assumptions.ts';
import type { Templates } from '../settings/refusal-templates.ts';
import { readAssumeFile } from './read-assume-file.ts';
import { readTemplates, type TextsOrFiles } from './read-template.ts';

/** The settings that choose assumptions. */
interface AssumptionSettings extends TextsOrFiles {
  readonly profile?: ProfileName;
  readonly assumeFile?: string;
  readonly assume?: PartialOptions;
}

/** Reads the assumptions for a server, with their files. Rejects with SandboxError if a file or a template is wrong. */
export async function readAssumptions(
  settings: AssumptionSettings,
): Promise<{ readonly chosen: PartialOptions; readonly options: Options; readonly templates: Templates }> {
  const fromFile = await readAssumeFile(settings.assumeFile);
  const chosen = { ...fromFile.options, ...settings.assume };
  const options = chooseOptions(settings.profile, chosen);
  return { chosen, options, templates: readTemplates({ ...fromFile.templates, ...settings }, options) };
}
