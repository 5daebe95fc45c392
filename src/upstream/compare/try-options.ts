import type { AssumptionName } from '../../assumptions.ts';
import type { Request } from '../calibrate/upstream.ts';
import { aspectsOf, type Aspect, type Replied } from './aspects.ts';
import { otherOptions, type OtherOption, type Twin } from './twin.ts';

/** A call that the two sides answered in different ways. */
export interface Dispute {
  readonly request: Request;
  readonly before: ReturnType<Twin['before']>;
  readonly seen: Replied;
  readonly own: Replied;
  readonly aspects: readonly Aspect[];
}

/** The options that make an aspect go away. */
export type Found = Map<Aspect, readonly OtherOption[]>;

/**
 * Repeats a call under each other option of some assumptions, with the options of `base`, and returns which
 * aspects go away. Of several options, those count that leave the fewest aspects.
 */
export async function tryOptions(
  twin: Twin,
  dispute: Dispute,
  names: readonly AssumptionName[],
  base: readonly OtherOption[],
): Promise<Found> {
  const fewest = new Map<Aspect, { readonly left: number; readonly options: readonly OtherOption[] }>();
  const known = base.length === 0 ? dispute.aspects : await aspectsUnder(twin, dispute, base);
  const untouched = names.filter((name) => base.every(({ assumption }) => assumption !== name));
  for (const other of untouched.flatMap((name) => otherOptions(name, twin.options))) {
    const left = await aspectsUnder(twin, dispute, [...base, other]);
    if (known === null || left === null || !isProgress(dispute.aspects, left)) continue;
    for (const aspect of goneFrom(dispute.aspects, left)) {
      if (!isIn(known, aspect)) continue;
      const before = fewest.get(aspect);
      if (before === undefined || left.length < before.left)
        fewest.set(aspect, { left: left.length, options: [other] });
      else if (left.length === before.left)
        fewest.set(aspect, { ...before, options: [...before.options, other] });
    }
  }
  return new Map([...fewest].map(([aspect, { options }]) => [aspect, options]));
}

/** Returns which aspects go away under options together, each with those of them that it needs. */
export async function tryTogether(
  twin: Twin,
  dispute: Dispute,
  options: readonly OtherOption[],
): Promise<Found> {
  const left = await aspectsUnder(twin, dispute, options);
  if (left === null || !isProgress(dispute.aspects, left)) return new Map();
  const gone = goneFrom(dispute.aspects, left);
  const found: Found = new Map();
  for (const one of gone.length === 0 ? [] : options) {
    const others = options.filter((other) => other !== one);
    const without = await aspectsUnder(twin, dispute, others);
    for (const aspect of gone)
      if (without !== null && isIn(without, aspect)) found.set(aspect, [...(found.get(aspect) ?? []), one]);
  }
  return found;
}

async function aspectsUnder(
  twin: Twin,
  { request, before, seen }: Dispute,
  options: readonly OtherOption[],
): Promise<readonly Aspect[] | null> {
  const reply = await twin.callWith(request, before, options);
  return reply === null ? null : aspectsOf(request.operation, seen, reply);
}

/** Whether what is left was there before, or is finer than a difference of the whole body that is gone. */
function isProgress(before: readonly Aspect[], left: readonly Aspect[]): boolean {
  const isBodySame =
    !left.some(({ aspect }) => aspect === 'body') && before.some(({ aspect }) => aspect === 'body');
  // Success in place of failure is not a finer difference: that option is then another one.
  const isFiner = ({ aspect }: Aspect): boolean => isBodySame && aspect === 'shape';
  return left.every((one) => isIn(before, one) || isFiner(one));
}

/** Returns the aspects that are gone. A finer one is only hidden while a coarser one is left. */
function goneFrom(aspects: readonly Aspect[], left: readonly Aspect[]): readonly Aspect[] {
  const isLeft = (...kinds: readonly Aspect['aspect'][]): boolean =>
    left.some(({ aspect }) => kinds.includes(aspect));
  const isHidden = ({ aspect }: Aspect): boolean =>
    (aspect === 'shape' && isLeft('outputs', 'body')) || (aspect === 'outputs' && isLeft('body'));
  return aspects.filter((aspect) => !isIn(left, aspect) && !isHidden(aspect));
}

function isIn(aspects: readonly Aspect[], { aspect, place }: Aspect): boolean {
  return aspects.some((one) => one.aspect === aspect && one.place === place);
}
