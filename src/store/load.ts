import type { SandboxDefaults } from '../sandbox/sandboxes-options.ts';
import type { LoadParts, Loaded } from './restored.ts';
import type { SandboxFiles } from './locations.ts';
import { isMark } from './log-names.ts';
import { kindOf, requireOwn } from './own-files.ts';
import { hasSource } from './source-file.ts';
import { StatePort } from './state-port.ts';

/** Loads a stored sandbox; null if there is none, or if it was moved aside. */
export async function load(
  id: string,
  files: SandboxFiles | undefined,
  { warn, seeds, checkSource }: Omit<LoadParts, 'seed'> & { readonly warn: (message: string) => void },
  { seed }: SandboxDefaults,
): Promise<Loaded | null> {
  if (files === undefined) return null;
  const logs = files.logs.filter((log) => kindOf(log).kind === 'own');
  requireOwn(id, [files.file, ...(logs.length === 0 ? files.logs : [])]);
  if (logs.length === 0 && kindOf(files.file).kind === 'none' && !hasSource(files.file)) return null;
  const { loadSaved } = await import('./load-saved.ts');
  // They are empty.
  const marks = files.logs.filter((log) => isMark(log, 'gap') && !logs.includes(log));
  const loaded = await loadSaved({ file: files.file, logs: [...logs, ...marks] }, new StatePort(files.file), {
    seeds,
    checkSource,
    seed,
  });
  if ('movedAside' in loaded) {
    const next = id === 'default' ? 'starts from its seed' : 'is gone until it is created again';
    warn(`${loaded.movedAside} The sandbox "${id}" ${next}.`);
    return null;
  }
  for (const warning of loaded.warnings) warn(warning);
  const stored = loaded.plan.seed?.name ?? seed.name;
  if (stored !== seed.name)
    warn(`Sandbox "${id}" keeps its seed "${stored}"; "${seed.name}" applies only to new sandboxes.`);
  return loaded;
}
