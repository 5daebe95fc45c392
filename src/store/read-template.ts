import type { Options, TemplateSetting } from '../assumptions.ts';
import { SandboxError } from '../base/errors.ts';
import { quoted } from '../base/violation.ts';
import { flagOf, missingTemplate, templateRule, type Templates } from '../settings/refusal-templates.ts';
import { wrongWith } from '../settings/value-rule.ts';
import { readNamedFile } from './text-file.ts';

/** Texts of the option `template`, or the paths of files with them. */
export type TextsOrFiles = { readonly [N in TemplateSetting]?: string };

/** Returns the texts for a server. Throws SandboxError if one is invalid, or missing though an option needs it. */
export function readTemplates(given: TextsOrFiles, options: Options): Templates {
  const templates = {
    refusalTemplate: textOf('refusalTemplate', given),
    gatewayTemplate: textOf('gatewayTemplate', given),
  };
  const missing = missingTemplate(options, templates);
  if (missing === null) return templates;
  throw new SandboxError(
    `The option template of ${missing.name} needs a template: set --${flagOf(missing.setting)} (${missing.setting} in code), such as '{"code":"{{code}}","text":"{{message}}"}'.`,
  );
}

function textOf(setting: TemplateSetting, { [setting]: textOrFile }: TextsOrFiles): string | null {
  if (textOrFile === undefined) return null;
  const text = textOrFile.includes('{') ? textOrFile : readNamedFile(textOrFile, setting);
  if (text === null)
    throw new SandboxError(
      `${setting} must be a JSON object or the path of a file, but there is no file ${quoted(textOrFile)}.`,
    );
  const wrong = wrongWith(templateRule, text.trim());
  if (wrong !== null) throw new SandboxError(`${setting} ${wrong}`);
  return text.trim();
}
