import type { SandboxDefaults } from '../sandbox/sandboxes-options.ts';
import { announceSeed } from './announce-seed.ts';
import { requireUnmarked } from './delete-files.ts';
import { logsOf } from './foreign-logs.ts';
import type { LoadParts, Loaded } from './restored.ts';
import type { SandboxFiles } from './locations.ts';
import { isMark } from './log-names.ts';
import { isThere, kindOf, requireOwn } from './own-files.ts';
import { hasSource } from './source-file.ts';
import { StatePort } from './state-port.ts';

/**
 * Throws an error if all files of a sandbox are gone. Their volume may be missing for a moment, and a new sandbox of
 * this name would replace them.
 */
export function requireAny(files: SandboxFiles | undefined): void {
  if (files !== undefined && !hasAny(files)) throw new Error(`${files.file} and its log are missing`);
}

/** Whether one of the files of a sandbox exists. */
export function hasAny({ file, logs }: SandboxFiles): boolean {
  return [file, ...logs].some((one) => isThere(one)) || hasSource(file);
}

interface LoadOptions extends Omit<LoadParts, 'seed'> {
  readonly warn: (message: string) => void;
  /** The seeds of stored sandboxes that a message has named since the start. */
  readonly namedSeeds: Set<string>;
}

/** Loads a stored sandbox; null if there is none, or if it was moved aside or not completed. */
export async function load(
  id: string,
  files: SandboxFiles | undefined,
  { warn, seeds, checkSource, namedSeeds }: LoadOptions,
  { seed }: SandboxDefaults,
): Promise<Loaded | null> {
  if (files === undefined) return null;
  const { file } = files;
  requireOwn(id, [file]);
  requireUnmarked(file);
  const logs = logsOf(id, files.logs);
  if (logs.length === 0 && kindOf(file).kind === 'none' && !hasSource(file)) return null;
  const { loadSaved } = await import('./load-saved.ts');
  // They are empty.
  const marks = files.logs.filter((log) => isMark(log, 'gap') && !logs.includes(log));
  const parts = { seeds, checkSource, seed };
  const loaded = await loadSaved({ file, logs: [...logs, ...marks] }, new StatePort(file), parts);
  if ('reason' in loaded) {
    const next = id === 'default' ? 'starts from its seed' : 'is gone until it is created again';
    warn(`${loaded.reason} The sandbox "${id}" ${next}.`);
    return null;
  }
  for (const warning of loaded.warnings) warn(warning);
  announceSeed(id, loaded.plan.seed, seed, { warn, namedSeeds });
  // Files of version 1 do not say it.
  return id === 'default' ? { ...loaded, plan: { ...loaded.plan, origin: 'server' } } : loaded;
}
