import { messageOf } from '../base/message-of.ts';
import { SandboxError } from '../base/errors.ts';
import { onDemand } from '../base/on-demand.ts';

/**
 * Parses YAML. `what` names the text in messages. Loads the parser on first use. Rejects with SandboxError if
 * it is not YAML.
 */
export async function parseYaml(text: string, what: string): Promise<unknown> {
  const { parse } = await onDemand(() => import('./yaml-parser.ts'));
  try {
    return parse(text);
  } catch (error) {
    throw new SandboxError(`${what} is not YAML: ${messageOf(error)}`);
  }
}
