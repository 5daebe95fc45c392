import { setTimeout as sleep } from 'node:timers/promises';
import { isRepeatable, type Context, type Output, type Outputs, type Send } from './api.ts';

/**
 * Sends a batch, and again those of its elements that failed, up to three times. Outputs belong to elements
 * by index. An element without an output may have taken effect.
 */
export function retryingElements(
  send: Send,
  { signal, random }: Context,
): (operation: string, elements: readonly object[]) => Promise<Outputs> {
  return async (operation, elements) => {
    const outputs: (Output | undefined)[] = elements.map(() => undefined);
    let open = elements.map((_, index) => index);
    for (let round = 0; ; round += 1) {
      const replied = await send(
        operation,
        open.map((index) => elements[index] ?? {}),
      );
      open.forEach((index, place) => (outputs[index] = replied[place]));
      open = open.filter((index) => isOpen(operation, outputs[index]));
      if (open.length === 0 || round === 2) return outputs;
      await sleep((0.5 + random()) * 1000 * 2 ** round, undefined, { signal });
    }
  };
}

/** An error says that nothing happened; no output says nothing. */
function isOpen(operation: string, output: Output | undefined): boolean {
  return output === undefined ? isRepeatable(operation) : output.status === 'error';
}
