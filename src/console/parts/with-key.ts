import { keyOf } from './key-of.ts';

/**
 * Returns the curl command of a journal entry with the key of its school, so that it works in any shell. The
 * control plane returns keys shortened, so its command reads the key from a variable. A call without a valid key
 * of the sandbox, such as any call through the proxy, has no school; its command stays the same.
 */
export function withKey(command: string, sandbox: string, school: string | null): string {
  if (school === null) return command;
  const header = `"SERVICE-API-KEY: ${keyOf(sandbox, school)}"`;
  return command.replace('"SERVICE-API-KEY: $SANDBOX_API_KEY"', () => header);
}
