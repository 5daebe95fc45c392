import { didYouMean } from '../base/did-you-mean.ts';
import { describe } from '../base/violation.ts';
import type { Act, Phase } from './fault.ts';
import { faultNamed, faultNames } from './index.ts';
import { readParameters } from './parameter.ts';

/** A fault as somebody asked for it: its name, its phase, and what it does. */
export interface PreparedFault {
  readonly name: string;
  readonly phase: Phase;
  readonly act: Act;
}

/** Something wrong with what was asked for. */
export interface Problem {
  /** The parameter that it is about, `fault` or `phase`. */
  readonly at: string;
  readonly message: string;
}

/** What a person or program wrote, in whichever way. */
export interface Wanted {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly phase?: unknown;
}

/** Makes a fault of what was asked for, or tells everything that is wrong with it. */
export function prepareFault({ fault: name, parameters, phase }: Wanted): PreparedFault | readonly Problem[] {
  const fault = faultNamed(name);
  if (fault === undefined) {
    const message = `There is no fault ${JSON.stringify(shown(name))}.${didYouMean(name, faultNames)} The faults are ${faultNames.join(', ')}.`;
    return [{ at: 'fault', message }];
  }
  const known = Object.keys(fault.parameters);
  const { values, wrong, unknown } = readParameters(fault.parameters, parameters);
  const list = known.length === 0 ? 'It has none.' : `Its parameters are ${known.join(', ')}.`;
  const problems: Problem[] = [
    ...unknown.map((at) => ({ at, message: `is no parameter of ${name}.${didYouMean(at, known)} ${list}` })),
    ...wrong.map((one) => ({ at: one.name, message: one.message })),
  ];
  if (phase !== undefined && phase !== 'before' && phase !== 'after') {
    problems.push({ at: 'phase', message: `must be before or after, but is ${describe(phase)}.` });
  }
  const conflict = problems.length === 0 ? fault.conflict(values) : null;
  if (conflict !== null) problems.push({ at: 'fault', message: `The parameters of ${name} do not go together. ${conflict}` });
  if (problems.length > 0) return problems;
  return { name, phase: phase === 'after' || phase === 'before' ? phase : fault.phase, act: fault.act(values) };
}

/** What a call is told that asks for more different faults than this server injects into one. */
export function tooMany(most: number): string {
  return `This server injects at most ${most} different faults into one call; --max faultsPerCall=N changes that.`;
}

/** A problem as it stands in running text. */
export function problemSentence({ at, message }: Problem): string {
  return at === 'fault' ? message : `"${at}" ${message}`;
}

/** Nobody needs to read the whole of a name that is as long as a body can be. */
export function shown(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}
