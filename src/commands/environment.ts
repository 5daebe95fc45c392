import { keyOf } from '../sandbox/keys.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Running } from '../server/server.ts';

/** What a program finds its sandbox by. Null takes a variable away that was there before. */
function variablesFor({ url, control }: Running, sandbox: Sandbox, run: string | null): Readonly<Record<string, string | null>> {
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

/** The variables of a program that is to use a sandbox: those that there are, and what it finds the sandbox by. */
export function environmentFor(running: Running, sandbox: Sandbox, there: NodeJS.ProcessEnv, run: string | null = null): NodeJS.ProcessEnv {
  const own = variablesFor(running, sandbox, run);
  const kept = Object.entries(there).filter(([name]) => !(name in own));
  return Object.fromEntries([...kept, ...Object.entries(own).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))]);
}
