import type { Schemas } from '../control-problem.ts';
import { durationText } from '../parts/duration.ts';

/** Something unusual in a sandbox: what, the panel that shows it, and what its button does. */
export interface Deviation {
  readonly kind: 'clock' | 'scenario' | 'rules' | 'assumptions' | 'limits';
  readonly text: string;
  readonly panel: string;
  /** Verb and object. */
  readonly reset: string;
}

/** Returns what is unusual, in words. */
export function deviationsIn({
  clock,
  scenario,
  rules,
  assumptions,
  limits,
}: Schemas['Deviations']): readonly Deviation[] {
  const all: readonly (Deviation | null)[] = [
    clockDeviation(clock),
    scenario === null
      ? null
      : {
          kind: 'scenario',
          text: `Scenario ${scenario}`,
          panel: 'failures',
          reset: `End scenario ${scenario}`,
        },
    rules === 0
      ? null
      : {
          kind: 'rules',
          text: counted(rules, 'fault rule'),
          panel: 'failures',
          reset: `Delete ${counted(rules, 'fault rule')}`,
        },
    assumptions.length === 0
      ? null
      : {
          kind: 'assumptions',
          text: counted(assumptions.length, 'changed assumption'),
          panel: 'assumptions',
          reset: `Reset ${counted(assumptions.length, 'changed assumption')}`,
        },
    limitDeviation(limits),
  ];
  return all.filter((one) => one !== null);
}

function clockDeviation({ mode, now, aheadSeconds }: Schemas['Deviations']['clock']): Deviation | null {
  const isShifted = Math.abs(aheadSeconds) >= 1;
  if (mode === 'real' && !isShifted) return null;
  const time = now.slice(0, 16).replace('T', ' ');
  const text =
    mode === 'frozen'
      ? `Clock frozen at ${time} UTC`
      : `Clock ${durationText(Math.abs(aheadSeconds))} ${aheadSeconds > 0 ? 'ahead' : 'behind'}`;
  return { kind: 'clock', text, panel: 'clock', reset: 'Set clock to real time' };
}

function limitDeviation({ scale, own }: Schemas['Deviations']['limits']): Deviation | null {
  if (scale === 1 && own === 0) return null;
  const parts = [
    ...(scale === null ? ['Rate limits off'] : []),
    ...(scale === null || scale === 1 ? [] : [`Rate limits × ${scale}`]),
    ...(own === 0 || scale === null ? [] : [counted(own, 'custom limit')]),
  ];
  return { kind: 'limits', text: parts.join(', '), panel: 'clock', reset: 'Restore documented limits' };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
