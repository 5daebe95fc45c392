import { faultNamed } from './index.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { shortText } from '../base/violation.ts';
import { prepareFault, problemSentence, tooMany, type PreparedFault } from './prepare.ts';

/** A fault that is requested by a parameter of an element. */
interface MagicFault {
  readonly fault: PreparedFault;
  /** The elements with the identifier. */
  readonly elements: readonly number[];
}

/** The prefix of magic identifiers: every string with this prefix and without whitespace or an `@` is one. */
export const magicPrefix = 'fault.';

const maxListed = 10;

/** Longer than any identifier that needs all parameters of its fault. */
const maxChars = 10_000;

/** More values than any fault has parameters: each further one would have its own sentence. */
const maxValues = 20;

/** The number of values of a body after which the search may be interrupted. */
const sliceValues = 5000;

/** E-mail addresses do not match. */
const form = /^fault\.[^\s@]*$/;

/** Whether a parameter requests a fault. */
export function isMagicIdentifier(value: unknown): boolean {
  return typeof value === 'string' && form.test(value);
}

/**
 * Returns the faults that magic identifiers request, in order of occurrence; or an error message, also for
 * more than `maxFaults` different ones. An identifier consists of `fault.<name>`, then the values of the
 * fault's parameters, in order or as name=value, then `before` or `after`, separated by dots.
 */
export function* findMagicIdentifiers(
  elements: readonly unknown[],
  maxFaults: number,
): SlicedWork<readonly MagicFault[] | { readonly wrong: string }> {
  const found = new Map<string, number[]>();
  for (const [number, element] of elements.entries()) {
    if (number > 0) yield;
    for (const identifier of yield* identifiersIn(element, maxFaults)) {
      const carriers = found.get(identifier);
      if (carriers === undefined && found.size >= maxFaults)
        return { wrong: `The parameters have too many different magic identifiers. ${tooMany(maxFaults)}` };
      if (carriers === undefined) found.set(identifier, [number]);
      else carriers.push(number);
    }
  }
  const faults: MagicFault[] = [];
  const wrong: string[] = [];
  for (const [identifier, carriers] of found) {
    yield;
    const fault = read(identifier);
    if ('wrong' in fault) wrong.push(fault.wrong);
    else faults.push({ fault, elements: carriers });
  }
  return wrong.length === 0 ? faults : { wrong: wrong.slice(0, maxListed).join(' ') };
}

/** Returns the different magic identifiers in a value, in order of occurrence; one more than `most` at most. */
function* identifiersIn(value: unknown, most: number): SlicedWork<ReadonlySet<string>> {
  const found = new Set<string>();
  // The next value is the last one.
  const rest: unknown[] = [value];
  for (let looked = 1; rest.length > 0 && found.size <= most; looked += 1) {
    if (looked % sliceValues === 0) yield;
    const next = rest.pop();
    if (typeof next === 'string') {
      if (isMagicIdentifier(next)) found.add(next);
    } else if (typeof next === 'object' && next !== null) {
      const members: readonly unknown[] = Object.values(next);
      for (let index = members.length - 1; index >= 0; index -= 1) rest.push(members[index]);
    }
  }
  return found;
}

function read(identifier: string): PreparedFault | { readonly wrong: string } {
  const shown = JSON.stringify(shortText(identifier));
  if (identifier.length > maxChars) {
    return {
      wrong: `The magic identifier ${shown} is invalid: it has ${identifier.length} characters, but at most ${maxChars} are allowed.`,
    };
  }
  const [, name = '', ...parts] = identifier.split('.');
  const phase = parts.at(-1) === 'after' || parts.at(-1) === 'before' ? parts.pop() : undefined;
  const known = faultNamed(name)?.parameters ?? {};
  const names = Object.keys(known);
  if (parts.length > maxValues) {
    return {
      wrong: `The magic identifier ${shown} is invalid: it has ${parts.length} values, but no fault has more than ${maxValues} parameters.`,
    };
  }
  const parameters: Record<string, unknown> = {};
  for (const [place, part] of parts.entries()) {
    const [, key = '', value = ''] = /^([\w-]+)=(.*)$/.exec(part) ?? [
      '',
      names[place] ?? `value ${place + 1} (${shortText(part)})`,
      part,
    ];
    const isNumber = /^\d+$/.test(value) && known[key]?.takes === 'number';
    parameters[key] = isNumber ? Number(value) : value;
  }
  const prepared = prepareFault({ fault: name, parameters, phase });
  return 'act' in prepared
    ? prepared
    : {
        wrong: `The magic identifier ${shown} is invalid: ${prepared.map(problemSentence).join(' ')}`,
      };
}
