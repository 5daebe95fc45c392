import { faultNamed } from './index.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { prepareFault, problemSentence, shown, tooMany, type PreparedFault } from './prepare.ts';

/** A fault that a parameter of an element asks for. */
export interface Planted {
  readonly fault: PreparedFault;
  /** The elements that carry the identifier. */
  readonly elements: readonly number[];
}

/** How every magic identifier begins; whatever begins so and has no space in it is taken for one. */
export const magicPrefix = 'fault.';

/** An e-mail address is none. */
const maxListed = 10;

const form = /^fault\.[^\s@]*$/;

/**
 * The faults that magic identifiers ask for, in the order in which they are met: `fault.<name>`, then the values of the fault's
 * parameters in their order, or as name=value, and `before` or `after` at the end, all after dots. Or tells what is wrong, also if there
 * are more than `most` different ones.
 */
export function* findMagicIdentifiers(
  elements: readonly unknown[],
  most: number,
): SlicedWork<readonly Planted[] | { readonly wrong: string }> {
  const found = new Map<string, number[]>();
  for (const [number, element] of elements.entries()) {
    if (number > 0) yield;
    for (const identifier of identifiersIn(element)) {
      const carriers = found.get(identifier);
      if (carriers === undefined && found.size >= most) return { wrong: `The parameters ask for too many faults. ${tooMany(most)}` };
      if (carriers === undefined) found.set(identifier, [number]);
      else if (carriers.at(-1) !== number) carriers.push(number);
    }
  }
  const planted: Planted[] = [];
  const wrong: string[] = [];
  for (const [identifier, carriers] of found) {
    const fault = read(identifier);
    if ('wrong' in fault) wrong.push(fault.wrong);
    else planted.push({ fault, elements: carriers });
  }
  return wrong.length === 0 ? planted : { wrong: wrong.slice(0, maxListed).join(' ') };
}

function identifiersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return form.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(identifiersIn) : [];
}

function read(identifier: string): PreparedFault | { readonly wrong: string } {
  const [, name = '', ...parts] = identifier.split('.');
  const phase = parts.at(-1) === 'after' || parts.at(-1) === 'before' ? parts.pop() : undefined;
  const known = faultNamed(name)?.parameters ?? {};
  const names = Object.keys(known);
  const parameters: Record<string, unknown> = {};
  for (const [place, part] of parts.entries()) {
    const [, key = '', value = ''] = /^([\w-]+)=(.*)$/.exec(part) ?? ['', names[place] ?? `value ${place + 1} (${part})`, part];
    const isNumber = /^\d+$/.test(value) && known[key]?.takes === 'number';
    parameters[key] = isNumber ? Number(value) : value;
  }
  const prepared = prepareFault({ fault: name, parameters, phase });
  return 'act' in prepared
    ? prepared
    : { wrong: `The identifier ${JSON.stringify(shown(identifier))} asks for a fault, but: ${prepared.map(problemSentence).join(' ')}` };
}
