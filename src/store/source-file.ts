import { lstatSync, rmSync } from 'node:fs';

/** The ending of a file that is left behind only if the server is killed while it fills a mounted one. */
const ending = '.lp-sandbox.copy';

/** Returns what a state file that is mounted by itself is copied from. */
export function sourceOf(stateFile: string): string {
  return `${stateFile}${ending}`;
}

/** Whether a killed server has left a source file behind. */
export function hasSource(stateFile: string): boolean {
  return lstatSync(sourceOf(stateFile), { throwIfNoEntry: false })?.isFile() === true;
}

export function deleteSource(stateFile: string): void {
  rmSync(sourceOf(stateFile), { force: true });
}

/** Returns the name of the state file that a file with this name is a copy of, or the name itself. */
export function withoutEnding(name: string): string {
  return name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}
