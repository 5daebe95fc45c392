import { didYouMean } from '../../base/did-you-mean.ts';
import { emptyHint } from '../../base/text-hint.ts';
import { quoted } from '../../base/violation.ts';

/** Folders have shorter paths; the time to trim slashes grows with the square of their number. */
const maxSentChars = 1000;

/** The number of folders that are compared for a suggestion: in full, and by their ends. */
const maxCompared = 200;
const maxEnds = 2000;

/** Returns a hint for a folder that the library does not have. `sent` is its path as it was sent. */
export function folderHint(sent: string, folder: string, folders: readonly string[]): string {
  if (sent.length > maxSentChars) return '';
  const hint = emptyHint(sent.replaceAll(/^\/+|\/+$/g, ''));
  if (hint !== '') return hint;
  const ending = folder.toLowerCase();
  const within = folders.slice(0, maxEnds).filter((known) => known.toLowerCase().endsWith(ending));
  const [first] = within;
  if (first !== undefined && within.length === 1) return ` Did you mean ${quoted(first)}?`;
  return didYouMean(folder, folders.slice(0, maxCompared));
}
