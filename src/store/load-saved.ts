import { existsSync } from 'node:fs';
import { SandboxError } from '../base/errors.ts';
import { checkForm } from './check-form.ts';
import { checkLine } from './check-line.ts';
import { History } from './history.ts';
import type { SandboxFiles } from './locations.ts';
import { firstLineOf, isMark } from './log-names.ts';
import { readLogs, type LogLine } from './read-logs.ts';
import { restored, type Loaded, type LoadParts } from './restored.ts';
import { setAside, setAsideFrom } from './set-aside.ts';
import { sourceOf } from './source-file.ts';
import type { StatePort } from './state-port.ts';

/** Reads and checks a stored sandbox. Moves damaged files aside, and uses the others. */
export async function loadSaved(
  files: SandboxFiles,
  port: StatePort,
  parts: LoadParts,
): Promise<Loaded | { readonly movedAside: string }> {
  try {
    return await read(files, port, parts);
  } catch (error) {
    const reason = damageIn(error);
    if (reason === null)
      throw new Error(
        `${files.file} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    const { file, logs } = files;
    const withoutLogs = existsSync(file) && logs.length > 0 ? await readAlone(file, port, parts) : null;
    if (withoutLogs === null)
      return { movedAside: `${setAside([file, sourceOf(file), ...logs])} Reason: ${reason}` };
    const warning = `${setAside(logs)} Reason: ${reason} The changes in it are missing; everything in ${file} was loaded.`;
    return { ...withoutLogs, warnings: [...withoutLogs.warnings, warning] };
  }
}

/** Returns a sentence about what is wrong with a damaged file; null for any other error. */
function damageIn(error: unknown): string | null {
  // The message of a TypeError is about the code.
  if (error instanceof TypeError) return 'Its content is invalid.';
  const isDamage = error instanceof SandboxError || error instanceof SyntaxError;
  return isDamage ? `${error.message.replace(/\.$/, '')}.` : null;
}

/** Reads a state file without its logs. Null if it is damaged as well. */
async function readAlone(file: string, port: StatePort, parts: LoadParts): Promise<Loaded | null> {
  try {
    return await read({ file, logs: [] }, port, parts, true);
  } catch (error) {
    if (damageIn(error) !== null) return null;
    throw error;
  }
}

/** Lines may be missing of a log that `isIncomplete`. */
async function read(
  { file, logs }: SandboxFiles,
  port: StatePort,
  parts: LoadParts,
  isIncomplete = false,
): Promise<Loaded> {
  await port.read();
  const history = new History(port.data === null ? null : checkForm(port.data));
  const { lines, tornBytes, repair } = readLogs(logs);
  const damage = applyLines(history, lines);
  const hasGap = isIncomplete || damage !== null || logs.some((log) => isMark(log, 'gap'));
  if (hasGap) history.skipNumbers();
  const isFolded = lines.length === 0 && tornBytes === 0 && !hasGap && history.isCurrent && port.isWhole;
  const torn = `The last ${tornBytes} bytes in the log of ${file} are an incomplete line and were ignored. The server was stopped while it wrote them, and had not acknowledged the change.`;
  const loaded = await restored(history, file, parts, tornBytes > 0 && damage === null ? [torn] : []);
  if (damage === null) repair();
  const missing =
    damage === null
      ? []
      : [
          `${setAsideFrom(
            damage.line,
            logs.filter((log) => !isMark(log, 'gap')),
          )} Reason: ${damage.reason} All later changes are missing.`,
        ];
  return { ...loaded, isFolded, warnings: [...loaded.warnings, ...missing] };
}

/** Applies lines up to the first damaged one, which it returns. Throws the error of the first line without a state. */
function applyLines(
  history: History,
  lines: readonly LogLine[],
): { readonly line: LogLine; readonly reason: string } | null {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined) break;
    try {
      history.apply(checkLine(line.text));
    } catch (error) {
      const reason = damageIn(error);
      if (reason === null || history.state === null) throw error;
      // The state file, and the log after it, may have all of the damaged one.
      const next = lines.findIndex(
        ({ log }, place) => place > index && log !== line.log && firstLineOf(log) <= history.lastLine + 1,
      );
      if (next < 0) return { line, reason };
      index = next - 1;
    }
  }
  return null;
}
