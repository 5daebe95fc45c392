import { messageOf } from '../base/message-of.ts';
import { existsSync } from 'node:fs';
import { applyLines, damageIn, unfinishedBase, type Applied, type Damage } from './apply-lines.ts';
import { checkForm } from './check-form.ts';
import { FollowedLogs } from './followed-logs.ts';
import { History, type ReadSaved } from './history.ts';
import type { SandboxFiles } from './locations.ts';
import type { ChainEnd } from './log-chain.ts';
import { createMark, isMark, markFile } from './log-names.ts';
import { cutOff, readLogs, type LogLine } from './read-logs.ts';
import { restored, type Loaded, type LoadParts } from './restored.ts';
import { NotUsableError } from './saved.ts';
import { setAside, setAsideFrom } from './set-aside.ts';
import { sourceOf } from './source-file.ts';
import type { StatePort } from './state-port.ts';

/** Why a sandbox is not there although it has files. */
interface Gone {
  readonly reason: string;
}

/** Reads and checks a stored sandbox. Moves damaged files aside, and uses the others. */
export async function loadSaved(
  files: SandboxFiles,
  port: StatePort,
  parts: LoadParts,
): Promise<Loaded | Gone> {
  const { file, logs } = files;
  try {
    return await read(files, port, parts);
  } catch (error) {
    const reason = damageIn(error);
    if (reason !== null) {
      skipNumbers(file);
      return { reason: `${setAside([file, sourceOf(file), ...withoutMarks(logs)])} Reason: ${reason}` };
    }
    const log = error instanceof NotUsableError ? error.log : null;
    const named = log ?? [file, ...logs].find(existsSync) ?? file;
    const told = messageOf(error);
    throw new Error(`${named} cannot be used: ${told}`, { cause: error });
  }
}

async function read({ file, logs }: SandboxFiles, port: StatePort, parts: LoadParts): Promise<Loaded | Gone> {
  await port.read();
  const saved = port.data === null ? null : checkForm(port.data);
  const lines = readLogs(withoutMarks(logs));
  const base = saved === null ? unfinishedBase(lines) : null;
  if (base !== null) {
    cutOff(base);
    return { reason: tornWarning(base) };
  }
  const logsAfter = (): FollowedLogs => new FollowedLogs(file, saved);
  const { history, damage, torn, loaded, chain } = await usable(saved, lines, logsAfter, (one, isWhole) => {
    if (!isWhole || logs.some((log) => isMark(log, 'gap'))) one.skipNumbers();
    return restored(one, existsSync(file) ? file : (logs[0] ?? file), parts);
  });
  for (const line of torn) cutOff(line);
  const hasGap = damage !== null || logs.some((log) => isMark(log, 'gap'));
  const isFolded = lines.length === 0 && !hasGap && history.isCurrent && port.isWhole;
  const stateId = saved?.id ?? null;
  const warnings = [...loaded.warnings, ...torn.map(tornWarning)];
  const found = { ...loaded, chain, stateId, isFolded };
  if (damage === null) return { ...found, warnings };
  // Before, so that no number is used again if this process is killed meanwhile.
  skipNumbers(file);
  const moved = setAsideFrom(damage.line, withoutMarks(logs));
  return {
    ...found,
    warnings: [...warnings, `${moved} Reason: ${damage.reason} All later changes are missing.`],
  };
}

interface Usable extends Applied {
  readonly history: History;
  readonly loaded: Omit<Loaded, 'isFolded' | 'chain' | 'stateId'>;
  readonly chain: ChainEnd;
}

/**
 * Restores a sandbox with all lines up to the first that is damaged, or with which the sandbox is not valid as a
 * whole. Throws the error of the state file if that is not valid by itself.
 */
async function usable(
  saved: ReadSaved | null,
  lines: readonly LogLine[],
  logsAfter: () => FollowedLogs,
  restore: (history: History, isWhole: boolean) => Promise<Usable['loaded']>,
): Promise<Usable> {
  const upTo = async (count: number, known: Damage | null): Promise<Usable> => {
    const history = new History(saved);
    const logs = logsAfter();
    const { damage, torn } = applyLines(history, lines.slice(0, count), logs);
    const found = known ?? damage;
    const loaded = await restore(history, found === null);
    return { history, damage: found, torn, loaded, chain: logs.end };
  };
  let failure: unknown;
  try {
    return await upTo(lines.length, null);
  } catch (error) {
    failure = error;
  }
  let [valid, invalid] = [0, lines.length];
  while (damageIn(failure) !== null && invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    try {
      await upTo(middle, null);
      valid = middle;
    } catch (error) {
      failure = error;
      invalid = middle;
    }
  }
  const [line, reason] = [lines[valid], damageIn(failure)];
  if (line === undefined || reason === null || (valid === 0 && saved === null)) throw failure;
  return upTo(valid, { line, reason });
}

/** Requests have numbers from now on that no line has. */
function skipNumbers(stateFile: string): void {
  createMark(markFile(stateFile, 'gap'));
}

function withoutMarks(logs: readonly string[]): readonly string[] {
  return logs.filter((log) => !isMark(log, 'gap'));
}

function tornWarning({ log, bytes }: LogLine): string {
  return `The last ${bytes} bytes of ${log} are an incomplete line and were ignored. The server was stopped while it wrote them, and had not acknowledged the change.`;
}
