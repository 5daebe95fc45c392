import { assumptionNames, type AssumptionName } from '../../assumptions.ts';
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

/** What may explain an aspect: options that make it go away, or the assumption that it belongs to. */
export interface Causes {
  readonly options: readonly OtherOption[];
  readonly assumption: AssumptionName | null;
}

/**
 * Finds out which options explain the aspects of disputes: repeats the call under each other option, and looks
 * which aspects are gone. An option that causes new ones explains nothing.
 */
export class Explainer {
  readonly #twin: Twin;
  /** Aspects that no option explained. A service often does the same in every call. */
  readonly #futile = new Set<string>();

  constructor(twin: Twin) {
    this.#twin = twin;
  }

  async causesOf(dispute: Dispute): Promise<ReadonlyMap<Aspect, Causes>> {
    const { own, aspects } = dispute;
    const shaping = assumedIn(own);
    const governing = new Set(aspects.map((aspect) => governorOf(aspect, shaping)));
    const likely = assumptionNames.filter((name) => shaping.includes(name) || governing.has(name));
    const found = await tryOptions(this.#twin, dispute, likely, []);
    await this.#tryPairs(dispute, likely, found);
    const isOpen = (aspect: Aspect): boolean =>
      !found.has(aspect) && !this.#futile.has(JSON.stringify(aspect));
    if (aspects.some(isOpen)) {
      const others = assumptionNames.filter((name) => !likely.includes(name));
      add(found, await tryOptions(this.#twin, dispute, others, []));
    }
    for (const aspect of aspects.filter((one) => !found.has(one))) this.#futile.add(JSON.stringify(aspect));
    return new Map(
      aspects.map((aspect) => [
        aspect,
        { options: found.get(aspect) ?? [], assumption: governorOf(aspect, shaping) },
      ]),
    );
  }

  /** Some options show only beside another one. */
  async #tryPairs(dispute: Dispute, names: readonly AssumptionName[], found: Found): Promise<void> {
    const partial = [...found.values()].flat();
    const bases = partial.filter((one, at) => partial.findIndex((other) => isSame(one, other)) === at);
    for (const base of bases) {
      if (dispute.aspects.every((aspect) => found.has(aspect))) return;
      add(found, await tryOptions(this.#twin, dispute, names, [base]));
    }
  }
}

/** The assumptions that shaped the sandbox's reply, as its header lists them. */
function assumedIn(reply: Replied): readonly AssumptionName[] {
  const names = 'failure' in reply ? '' : (reply.header('sandbox-assumed') ?? '');
  const listed = new Set(names.split(',').map((one) => one.trim().split('=')[0]));
  return assumptionNames.filter((name) => listed.has(name));
}

type Found = Map<Aspect, OtherOption[]>;

async function tryOptions(
  twin: Twin,
  { request, before, seen, aspects }: Dispute,
  names: readonly AssumptionName[],
  base: readonly OtherOption[],
): Promise<Found> {
  const found: Found = new Map();
  const untouched = names.filter((name) => base.every(({ assumption }) => assumption !== name));
  const known = base.length === 0 ? aspects : await aspectsUnder(base);
  for (const other of untouched.flatMap((name) => otherOptions(name, twin.options))) {
    const left = await aspectsUnder([...base, other]);
    if (known === null || left === null || left.some((one) => !aspects.some((its) => isSamePlace(one, its))))
      continue;
    for (const aspect of known)
      if (!left.some((one) => isSamePlace(one, aspect))) {
        const original = aspects.find((one) => isSamePlace(one, aspect));
        if (original !== undefined) found.set(original, [...(found.get(original) ?? []), other]);
      }
  }
  return found;

  async function aspectsUnder(options: readonly OtherOption[]): Promise<readonly Aspect[] | null> {
    const reply = await twin.callWith(request, before, options);
    return reply === null ? null : aspectsOf(seen, reply);
  }
}

function add(found: Found, more: Found): void {
  for (const [aspect, options] of more) if (!found.has(aspect)) found.set(aspect, options);
}

function isSame(one: OtherOption, other: OtherOption): boolean {
  return one.assumption === other.assumption && one.option === other.option;
}

function isSamePlace(one: Aspect, other: Aspect): boolean {
  return one.aspect === other.aspect && one.place === other.place;
}

const ofStatus: readonly AssumptionName[] = [
  'missingKey',
  'invalidKey',
  'throttleReply',
  'wrongMethod',
  'unknownPath',
  'cors',
  'maxPayload',
  'emptyBatch',
  'maxBatchSize',
  'malformedBody',
  'invalidParameters',
  'unknownId',
  'ruleFailureStatus',
  'operationFailureStatus',
];

const ofBody: readonly AssumptionName[] = [
  'unmatchedBody',
  'gatewayRefusalBody',
  'operationFailureBody',
  'refusalBody',
];

/** The assumptions that aspects belong to if no option explains them, the first that shaped the reply. */
const governors: Readonly<Record<Aspect['aspect'], readonly AssumptionName[]>> = {
  status: ofStatus,
  header: ['retryAfter', 'rateLimitHeaders', ...ofBody, ...ofStatus],
  body: [...ofBody, ...ofStatus],
  outputs: ['batchProcessing', ...ofStatus],
  shape: [...ofBody, 'responseFields'],
};

function governorOf({ aspect, place }: Aspect, named: readonly AssumptionName[]): AssumptionName | null {
  if (place === 'retry-after') return 'retryAfter';
  if (place.includes('ratelimit')) return 'rateLimitHeaders';
  if (place.startsWith('access-control-')) return 'cors';
  return governors[aspect].find((name) => named.includes(name)) ?? null;
}
