import { newToken } from '../sandbox/random.ts';
import { beginsAsOwn } from './own-files.ts';

/** The ending of files that are left behind only if the server is killed while it writes. */
const ending = '.lp-sandbox.tmp';

/** What `unfinishedName` returns for a state file. */
const unfinished = /\.json\.[\w-]{32}\.lp-sandbox\.tmp$/;

/** Returns a new name for a file that will replace this one, or take a place beside it, when it is complete. */
export function unfinishedName(file: string): string {
  return `${file}.${newToken()}${ending}`;
}

/** Whether a file was left behind by a killed server, which had not finished it. */
export function isUnfinished(file: string): boolean {
  return unfinished.test(file) && beginsAsOwn(file);
}
