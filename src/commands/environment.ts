import { keyOf } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Running } from '../server/server.ts';

/** The variables that describe a sandbox to a program. Null removes an inherited variable. */
function variablesFor(
  { url, control }: Running,
  sandbox: Sandbox,
  run: string | null,
): Readonly<Record<string, string | null>> {
  const [school] = sandbox.schools();
  return {
    SANDBOX_URL: url,
    SANDBOX_API_KEY: school === undefined ? null : keyOf(sandbox.id, school.slug),
    SANDBOX_CONTROL_URL: control.url === null ? null : `${control.url}/control`,
    SANDBOX_CONTROL_TOKEN: control.url === null ? null : control.token,
    SANDBOX_ID: sandbox.id,
    SANDBOX_RUN: run,
  };
}

/**
 * Returns the environment for a program that uses a sandbox: the inherited variables and those of the
 * sandbox.
 */
export function environmentFor(
  running: Running,
  sandbox: Sandbox,
  there: NodeJS.ProcessEnv,
  run: string | null = null,
): NodeJS.ProcessEnv {
  const own = variablesFor(running, sandbox, run);
  const kept = Object.entries(there).filter(([name]) => !(name in own));
  return Object.fromEntries([
    ...kept,
    ...Object.entries(own).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  ]);
}
