import { assumptionNames } from '../../assumptions.ts';
import { groupBy } from '../../base/group-by.ts';
import { parseJson } from '../../contract/envelope.ts';
import { allDomains, leavesOf, type Domains } from './model/ask.ts';
import { predictionOf, storedPrediction, type StoredPrediction } from './model/stored-prediction.ts';
import type { Mask } from '../key-mask/key-mask.ts';
import { asTemplate, mayBeTemplate } from './own-members.ts';
import { ownFormOf, type Reply } from './reply.ts';
import { fieldMark, fieldsIn } from './field-sights.ts';
import { memberList, sightsIn } from './sights.ts';
import { maskedTheirs, plain, shown } from './shown-text.ts';
import { hasMembersOf, shapeOf, type OwnForm } from './template.ts';
import type { Judgement } from './templates.ts';
import type { Request, Sight } from './upstream.ts';

/** A way in which a service differs from the sandbox that no option of an assumption has. */
export interface Departure {
  readonly what: string;
  readonly service: string;
  readonly sandbox: string;
  /** In how many responses. */
  readonly count: number;
}

/** What a service did, and what the sandbox does, depending on its options. */
export interface CountedSight {
  readonly what: string;
  readonly seen: string;
  readonly expected: StoredPrediction;
  readonly count: number;
  /** The body, if `seen` is its form and a template may have its members. */
  readonly ownForm?: OwnForm;
}

/** Maximum number of kinds; a service can send any number. */
const maxKinds = 500;

/** Counts what the responses of a service have that assumptions do not cover: headers, members and forms. */
export class Departures {
  readonly #counts = new Map<string, { readonly sight: Omit<CountedSight, 'count'>; count: number }>();

  /** `earlier` are the counts of a run that was interrupted. */
  constructor(earlier: readonly CountedSight[] = []) {
    for (const { count, ...sight } of earlier) this.#counts.set(keyOf(sight), { sight, count });
  }

  /** Counts what a response shows. Server errors and throttled calls may come from a gateway. */
  note(request: Request, reply: Reply): void {
    if (reply.status >= 500 || reply.status === 429) return;
    const ownForm = ownFormOf(reply);
    for (const sight of [...sightsIn(request, reply), ...fieldsIn(request, reply)])
      this.#count(ownForm !== null && mayBeTemplate(sight.seen) ? { ...sight, ownForm } : sight);
  }

  #count(sight: Sight & Pick<CountedSight, 'ownForm'>): void {
    const key = keyOf(sight);
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#counts.size < maxKinds)
      this.#counts.set(key, { sight: { ...sight, expected: storedPrediction(sight.expected) }, count: 1 });
  }

  all(): readonly CountedSight[] {
    return [...this.#counts.values()].map(({ sight, count }) => ({ ...sight, count }));
  }
}

/** Only `seen` can contain any text. This runs for every field of every result, so it has to be cheap. */
function keyOf({ what, seen, ownForm }: Pick<CountedSight, 'what' | 'seen' | 'ownForm'>): string {
  return `${what}\n${seen}${ownForm === undefined ? '' : `\n${shapeOf(ownForm)}`}`;
}

/** A service may send a part of a key as a header, as the name of a member, or as a value. */
export function maskedSights(sights: readonly CountedSight[], mask: Mask): readonly CountedSight[] {
  return sights.map(({ ownForm, ...sight }) => ({
    ...sight,
    ...(ownForm === undefined ? {} : { ownForm: { ...ownForm, text: mask(ownForm.text) } }),
    what: maskedTheirs(sight.what, mask),
    seen: maskedSeen(sight, mask),
    // What a template has is predicted as it was seen.
    expected: sight.expected.map((node) => (typeof node === 'string' ? maskedTheirs(node, mask) : node)),
  }));
}

/** What the sandbox would send, too, is no part of a key. */
function maskedSeen({ seen, expected }: Pick<CountedSight, 'seen' | 'expected'>, mask: Mask): string {
  return expected.includes(plain(seen)) ? seen : maskedTheirs(seen, mask);
}

/** Returns the refusals whose members are others than those of the template. */
function unfitRefusals(unfit: readonly OwnForm[], mask: Mask): readonly Departure[] {
  const byMembers = groupBy(unfit, ({ text }) => memberList(parseJson(text)));
  return [...byMembers].map(([members, all]) => ({
    what: `a refusal, such as one with HTTP ${all[0]?.status}`,
    service: `the members ${shown(members, mask)}, or values of other types`,
    sandbox: 'its template',
    count: all.length,
  }));
}

/** Returns the bodies with other members than those of each template that was found. */
function unlikeTemplates(
  sights: readonly CountedSight[],
  { templates, unfit }: Judgement,
  mask: Mask,
): readonly OwnForm[] {
  const found = Object.values(templates);
  if (found.length === 0) return [];
  const named = new Set(unfit.map(({ text }) => memberList(parseJson(text))));
  return sights.flatMap(({ ownForm, count }) =>
    ownForm === undefined ||
    named.has(memberList(parseJson(ownForm.text))) ||
    found.some((template) => hasMembersOf(template, ownForm, mask))
      ? []
      : Array.from({ length: count }, () => ownForm),
  );
}

/** Returns what no choice of the options that are left would do, the most frequent first, and unfit refusals. */
export function departuresIn(
  sights: readonly CountedSight[],
  judgement: Judgement,
  mask: Mask,
): readonly Departure[] {
  const { verdicts, unfit } = judgement;
  const all = allDomains();
  const leftOf = (name: (typeof assumptionNames)[number]): readonly string[] => {
    const left = verdicts.find((verdict) => verdict.name === name)?.left ?? [];
    return left.length === 0 ? (all.get(name) ?? []) : left;
  };
  const domains: Domains = new Map(assumptionNames.map((name) => [name, leftOf(name)]));
  const byWhat = groupBy(sights, ({ what }) => what);
  const found = sights.flatMap(({ what, seen, expected, count, ownForm }): readonly Departure[] => {
    const leaves = leavesOf(predictionOf(expected), domains);
    const possible = new Set(leaves.map((leaf) => plain(leaf.expected)));
    // A field that some records have is not a departure, even if others lack it.
    const isData =
      what.startsWith(fieldMark) && byWhat.get(what)?.some((one) => possible.has(plain(one.seen))) === true;
    // Whether a body has the members of the template is another question.
    const isOfTemplate = ownForm !== undefined && possible.has(asTemplate(seen));
    if (possible.has(plain(seen)) || isData || isOfTemplate) return [];
    const service = plain(maskedSeen({ seen, expected }, mask));
    return [{ what: shown(what, mask), service, sandbox: [...possible].join(' or '), count }];
  });
  return [
    ...found.toSorted((one, other) => other.count - one.count),
    ...unfitRefusals([...unfit, ...unlikeTemplates(sights, judgement, mask)], mask),
  ];
}
