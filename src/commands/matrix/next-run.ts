import { isDeepStrictEqual } from 'node:util';
import { alone, packed, type Together } from './combine.ts';
import { endings, endsAsDefaults, isMet, type Outcome, type Shown } from './outcome.ts';
import type { PlannedRun } from './plan.ts';
import { involvedIn, type FailedTest } from './suspects.ts';
import { verdictsOf } from './verdicts.ts';

/** What is known when the next run is chosen. */
export interface Search {
  /** The first runs, in their order. */
  readonly groups: readonly Together[];
  readonly twins: ReadonlyMap<PlannedRun, PlannedRun>;
  /** The completed runs, in their order. */
  readonly outcomes: readonly Outcome[];
  readonly underWay: readonly Together[];
  /** The run with the defaults; null if nothing is combined. */
  readonly defaults: Shown | null;
}

/**
 * Returns the options of the next run; null if there is none before another run ends. What divides a failed run
 * comes first, so that its options stay together in the output. What may be joined comes last, when most is known.
 */
export function nextRun({ groups, twins, outcomes, underWay, defaults }: Search): Together | null {
  const verdicts = verdictsOf(outcomes, defaults, twins);
  const latest = new Map(outcomes.flatMap((outcome) => outcome.members.map((member) => [member, outcome])));
  const busy = new Set(underWay.flat());
  const openIn =
    (by: Outcome | undefined) =>
    (part: Together): readonly Together[] => {
      const open = part.filter(
        (member) => !verdicts.has(member) && !busy.has(member) && latest.get(member) === by,
      );
      return open.length === 0 ? [] : [open];
    };
  const isDecided = (member: PlannedRun): boolean => verdicts.has(member);
  const after =
    defaults === null
      ? []
      : outcomes.toReversed().map((outcome) => {
          const { apart, joined } = partsAfter(outcome, outcomes, defaults);
          return { apart: apart.flatMap(openIn(outcome)), joined: joined.flatMap(openIn(outcome)) };
        });
  const differing = [...twins]
    .filter(([, twin]) => isDecided(twin))
    .flatMap(([member]) => openIn(undefined)(alone(member)));
  const [next = null] = [
    ...after.flatMap(({ apart }) => apart),
    ...groups.flatMap(openIn(undefined)),
    ...packed([...after.flatMap(({ joined }) => joined), ...differing]),
  ];
  return next;
}

/** The parts in which the options of a run run again, if nothing else decides about them. */
interface Parts {
  readonly apart: readonly Together[];
  /** May be joined with parts of other runs. */
  readonly joined: readonly Together[];
}

function partsAfter(outcome: Outcome, outcomes: readonly Outcome[], defaults: Shown): Parts {
  const { members, shown, failed } = outcome;
  if (members.length === 1) return { apart: [], joined: [] };
  if (endsAsDefaults(shown.found, defaults)) return afterPass(outcome);
  if (failed === null) return { apart: parts(members, shown, defaults), joined: [] };
  const isRepeated = failedAgain(outcome, outcomes);
  const apart = isRepeated ? halves(involvedIn(failed)) : likeliestIn(failed).map(alone);
  const again = new Set(apart.flat());
  return { apart, joined: [members.filter((member) => !again.has(member))] };
}

/** Returns an option for each failed test: the only possible one, or the likeliest of those with none. */
function likeliestIn(failed: readonly FailedTest[]): Together {
  const only = new Set(failed.flatMap(({ possible }) => (possible.length === 1 ? possible : [])));
  const likeliest = failed.flatMap(({ suspects }) =>
    suspects.some((suspect) => only.has(suspect)) ? [] : suspects.slice(0, 1),
  );
  return [...new Set([...only, ...likeliest])];
}

/** Whether a test failed before with more options, so that the likeliest one then was not the only one to blame. */
function failedAgain({ members, failed }: Outcome, outcomes: readonly Outcome[]): boolean {
  const names = new Set(failed?.map(({ name }) => name));
  return outcomes.some(
    (before) =>
      before.members.length > members.length &&
      members.every((member) => before.members.includes(member)) &&
      before.failed?.some(({ name }) => names.has(name)) === true,
  );
}

/** Another option may have prevented the effect of those that were not met, so they run again without it. */
function afterPass({ members, shown }: Outcome): Parts {
  const unmet = members.filter((member) => !isMet(member, shown));
  return unmet.length === members.length
    ? { apart: unmet.map(alone), joined: [] }
    : { apart: [], joined: [unmet] };
}

/**
 * Returns the parts of a run in which no failed test can be attributed. Those that made calls end in another way than with
 * the defaults are suspects: few run alone, many in halves, and the others together.
 */
function parts(members: Together, { met }: Shown, defaults: Shown): readonly Together[] {
  const suspects = members.filter(
    (member) => !isDeepStrictEqual(endings(member, met), endings(member, defaults.met)),
  );
  const others = members.filter((member) => !suspects.includes(member));
  if (suspects.length === 0 || others.length === 0) return halves(members);
  return [others, ...(suspects.length > fewSuspects ? halves(suspects) : suspects.map(alone))];
}

/** Few suspects are mostly guilty. Of many, most are not. */
const fewSuspects = 3;

function halves(members: Together): readonly Together[] {
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
}
