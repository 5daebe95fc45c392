import { SandboxError } from '../base/errors.ts';
import { onDemand } from '../base/on-demand.ts';

/** What a YAML text holds; `what` names it in messages. Only who has such a text waits for the parser. Rejects with SandboxError where it is none. */
export async function parseYaml(text: string, what: string): Promise<unknown> {
  const { parse } = await onDemand(() => import('./yaml-parser.ts'));
  try {
    return parse(text);
  } catch (error) {
    throw new SandboxError(`${what} is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}
