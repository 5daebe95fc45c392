import { isObject } from '../../base/is-object.ts';
import { pointerTo, type Violation } from '../../base/violation.ts';

/** The documented members of an output. */
const members: ReadonlySet<string> = new Set(['status', 'data', 'errorMessage']);

/** Maximum number of names; a service can send any number. */
const maxNames = 20;

/** Finds undocumented members of outputs and beside them, each name once. `json` is the body of a response. */
export function envelopeDifferences(json: unknown): readonly Violation[] {
  const elements: readonly unknown[] = Array.isArray(json) ? json : [];
  const found = new Map<string, Violation>();
  const note = (pointer: string, name: string, where: string): void => {
    const key = `${where} ${name}`;
    if (found.size < maxNames && !found.has(key))
      found.set(key, { pointer: pointerTo(pointer, name), message: `is an undocumented member ${where}.` });
  };
  for (const [index, element] of elements.entries()) {
    if (!isObject(element) || !isObject(element['output'])) continue;
    for (const name of Object.keys(element)) if (name !== 'output') note(`/${index}`, name, 'beside output');
    for (const name of Object.keys(element['output']))
      if (!members.has(name)) note(`/${index}/output`, name, 'of output');
  }
  return [...found.values()];
}
