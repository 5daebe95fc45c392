import { SandboxError } from '../base/errors.ts';
import { readNamedFile } from '../store/text-file.ts';
import { readUrlText } from '../upstream/recording/read-url.ts';
import { readRecording, type RecordedCall } from '../upstream/recording/recording.ts';

/**
 * Reads a recording from a file, or from the URL of a journal of a running sandbox. Throws SandboxError if it
 * does not exist or is no recording.
 */
export async function readRecordingFrom(source: string, flag: string): Promise<readonly RecordedCall[]> {
  if (/^https?:\/\//.test(source)) return readRecording(await readUrlText(source), source);
  const text = readNamedFile(source, flag);
  if (text === null) throw new SandboxError(`File ${source} of ${flag} not found.`);
  return readRecording(text, source);
}
