import { didYouMean } from '../base/did-you-mean.ts';
import { NotFoundError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** Returns the sandbox with an id, and counts the request as a use of it. Throws NotFoundError. */
export function findSandbox(sandboxes: Sandboxes, id: string): Sandbox {
  const sandbox = sandboxes.get(id);
  if (sandbox === undefined) {
    const known = [...sandboxes.all].map((one) => one.id);
    throw new NotFoundError(`There is no sandbox ${JSON.stringify(id)}.${didYouMean(id, known)} GET /control/sandboxes lists them.`);
  }
  sandbox.touch();
  return sandbox;
}
