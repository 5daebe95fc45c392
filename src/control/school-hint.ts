import { didYouMean } from '../base/did-you-mean.ts';
import { firstNames } from '../base/lists.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The number of schools that are listed. */
const maxListed = 20;

/** The number of schools that are compared for a suggestion; a sandbox may have very many. */
const maxCompared = 200;

/** Returns what follows a message about an unknown school: a similar one, and the schools of the sandbox. */
export function schoolHint(sandbox: Sandbox, school: string): string {
  const known = sandbox.schools(maxCompared).map(({ slug }) => slug);
  return `${didYouMean(school, known)} The schools are ${firstNames(known, maxListed)}.`;
}
