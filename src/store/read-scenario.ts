import { basename } from 'node:path';
import { didYouMean } from '../base/did-you-mean.ts';
import { quoted, sentence } from '../base/violation.ts';
import type { Scenario } from '../faults/scenario.ts';
import { SandboxError } from '../base/errors.ts';
import { onDemand } from '../base/on-demand.ts';
import type { PathPolicy } from './read-seed.ts';
import { packageFolder, readPackageFile } from '../base/package-files.ts';
import { readNamedFile } from './text-file.ts';
import { parseYaml } from './yaml-text.ts';

/** Returns the names of the scenarios that the package ships. */
export function scenarioNames(): readonly string[] {
  const files = packageFolder('fixtures/scenarios/').map(({ name }) => name);
  return files.flatMap((file) => (file.endsWith('.yaml') ? [basename(file, '.yaml')] : [])).toSorted();
}

/**
 * Reads a scenario by name, or by the path of a file. Rejects with SandboxError if it is missing or invalid.
 */
export async function readScenario(
  nameOrFile: string,
  pathPolicy: PathPolicy = 'names-and-files',
): Promise<Scenario> {
  const { name, file, text } = locate(nameOrFile, pathPolicy);
  // Imported here, because only scenarios need the checks.
  const { checkScenario } = await onDemand(() => import('../faults/check-rule.ts'));
  const checked = checkScenario(name, await parseYaml(text, `The scenario ${file}`));
  if ('rules' in checked) return checked;
  throw new SandboxError(
    `The scenario ${file} is invalid:\n  ${checked.map((violation) => sentence(violation, 'The file')).join('\n  ')}`,
  );
}

function locate(
  nameOrFile: string,
  pathPolicy: PathPolicy,
): { readonly name: string; readonly file: string; readonly text: string } {
  const known = scenarioNames();
  if (known.includes(nameOrFile)) {
    const file = `fixtures/scenarios/${nameOrFile}.yaml`;
    return { name: nameOrFile, file, text: readPackageFile(file) };
  }
  const mayBeFile = pathPolicy === 'names-and-files' && /\.(ya?ml|json)$/.test(nameOrFile);
  const text = mayBeFile ? readNamedFile(nameOrFile, '--scenario') : null;
  if (text !== null) return { name: nameFrom(nameOrFile), file: nameOrFile, text };
  const ending = pathPolicy === 'names-only' ? '.' : '; or give the path of your own .yaml file.';
  throw new SandboxError(
    `There is no scenario ${quoted(nameOrFile)}.${didYouMean(nameOrFile, known)} Known scenarios: ${known.join(', ')}${ending}`,
  );
}

/** Returns a file's name as a scenario name, which is part of the ids of its rules. */
function nameFrom(file: string): string {
  const stem = basename(file).replace(/\.\w+$/, '');
  return stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 56);
}
