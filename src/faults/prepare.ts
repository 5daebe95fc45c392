import { didYouMean } from '../base/did-you-mean.ts';
import { describe, shortText } from '../base/violation.ts';
import type { Act, Phase } from './fault.ts';
import { faultNamed, faultNames } from './index.ts';
import { readParameters } from './parameter.ts';

/** A requested fault: its name, its phase, and its action. */
export interface PreparedFault {
  readonly name: string;
  readonly phase: Phase;
  readonly act: Act;
}

/** A problem with a requested fault. */
export interface Problem {
  /** The name of the parameter, `fault` or `phase`. */
  readonly at: string;
  readonly message: string;
}

/** A fault from a header, a magic identifier or a rule, not yet validated. */
interface RequestedFault {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly phase?: unknown;
}

/** Returns the requested fault, or all problems. */
export function prepareFault({
  fault: name,
  parameters,
  phase,
}: RequestedFault): PreparedFault | readonly Problem[] {
  const fault = faultNamed(name);
  if (fault === undefined) {
    const message = `There is no fault ${JSON.stringify(shortText(name))}.${didYouMean(name, faultNames)} The faults are ${faultNames.join(', ')}.`;
    return [{ at: 'fault', message }];
  }
  const known = Object.keys(fault.parameters);
  const { values, wrong, unknown } = readParameters(fault.parameters, parameters);
  const list = known.length === 0 ? 'It has no parameters.' : `Its parameters are ${known.join(', ')}.`;
  const problems: Problem[] = [
    ...unknown.map((at) => ({
      at,
      message: `is not a parameter of ${name}.${didYouMean(at, known)} ${list}`,
    })),
    ...wrong.map((one) => ({ at: one.name, message: one.message })),
  ];
  if (phase !== undefined && phase !== 'before' && phase !== 'after') {
    problems.push({ at: 'phase', message: `must be before or after, but is ${describe(phase)}.` });
  }
  const conflict = problems.length === 0 ? fault.conflict(values) : null;
  if (conflict !== null)
    problems.push({ at: 'fault', message: `The parameters of ${name} are inconsistent. ${conflict}` });
  if (problems.length > 0) return problems;
  return {
    name,
    phase: phase === 'after' || phase === 'before' ? phase : fault.phase,
    act: fault.act(values),
  };
}

/** Returns the message for a call with too many faults. */
export function tooMany(maxFaults: number): string {
  return `This server injects at most ${maxFaults} different faults into one call; --max faultsPerCall=N changes it.`;
}

/** Returns a problem as a sentence. */
export function problemSentence({ at, message }: Problem): string {
  return at === 'fault' ? message : `"${at}" ${message}`;
}
