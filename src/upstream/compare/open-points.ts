import { assumptionNames } from '../../assumptions.ts';
import { calibrate, type Outside, type Plan } from '../calibrate/calibrate.ts';
import { maskOf } from '../calibrate/upstream.ts';
import type { Verdict } from '../calibrate/verdict.ts';
import type { Difference } from '../difference-report/report.ts';
import { maskExcept } from '../key-mask/key-mask.ts';
import type { Twin } from './twin.ts';

/** What the probes of calibrate conclude about both sides. */
export interface OpenPoints {
  readonly service: readonly Verdict[];
  readonly sandbox: readonly Verdict[];
}

/** Runs the probes against the service, then against the sandbox, whose clock passes the time of waits. */
export async function probeBoth(
  plan: Plan,
  outside: Outside,
  { twin, twinPlan }: { readonly twin: Twin; readonly twinPlan: Pick<Plan, 'known' | 'keys'> },
): Promise<OpenPoints> {
  const service = await calibrate(plan, outside);
  const { clock, limits } = twin.sandbox;
  const setting = clock.facts();
  limits.counters.clear();
  clock.freeze();
  const time = {
    now: () => clock.now(),
    wait: (seconds: number) => clock.step(() => clock.advance(seconds)),
  };
  // The keys of the sandbox are not secret, and neither are the names of its schools.
  const names = twin.sandbox.schools().flatMap(({ slug, name }) => [slug, name]);
  const sandbox = await calibrate(
    { ...plan, ...twinPlan, pauseSeconds: 0, mask: maskExcept(maskOf(plan.keys), names) },
    { upstream: twin.upstream, time },
  );
  clock.set(setting);
  return { service: service.verdicts, sandbox: sandbox.verdicts };
}

/** The differences in behavior: no option is possible for both sides, or one side matches no option. */
export function openPointDifferences(
  { service, sandbox }: OpenPoints,
  { options }: Pick<Twin, 'options'>,
): readonly Difference[] {
  return assumptionNames.flatMap((name): readonly Difference[] => {
    const [one, other] = [service, sandbox].map((verdicts) =>
      verdicts.find((verdict) => verdict.name === name),
    );
    if (one === undefined || other === undefined || agree(one, other)) return [];
    const isTold = one.option !== null;
    return [
      {
        id: `assumption:${name}`,
        operation: 'all',
        call: 'open points',
        what: name,
        left: shown(one),
        right: shown(other),
        count: 1,
        explanation: {
          assumption: name,
          option: options[name],
          instead: isTold ? one.left : possible(one, other),
        },
      },
    ];
  });
}

/** Whether some option is possible for both sides. */
function agree(one: Verdict, other: Verdict): boolean {
  if (isOdd(one) !== isOdd(other)) return false;
  return isOdd(one) || one.left.some((option) => other.left.includes(option));
}

/** Whether a side matches no option: then those that remain are none of it. */
export function isOdd({ oddity }: Verdict): boolean {
  return oddity !== null;
}

function possible(one: Verdict, other: Verdict): readonly string[] {
  return isOdd(one) ? [] : one.left.filter((option) => !other.left.includes(option));
}

function shown(verdict: Verdict): string {
  if (isOdd(verdict)) return verdict.why ?? '';
  const [evidence] = verdict.evidence;
  return `${verdict.left.join(' or ')}${evidence === undefined ? '' : ` (${evidence})`}`;
}
