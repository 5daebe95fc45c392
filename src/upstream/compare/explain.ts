import { assumptionNames, assumptions, type AssumptionName } from '../../assumptions.ts';
import { outputsIn, parseJson } from '../../contract/envelope.ts';
import { isLimitHeader } from '../../contract/limit-headers.ts';
import type { Aspect, Replied } from './aspects.ts';
import { tryOptions, tryTogether, type Dispute, type Found } from './try-options.ts';
import type { OtherOption, Twin } from './twin.ts';

/** What may explain an aspect: options that make it go away, or the assumption that it belongs to. */
export interface Causes {
  readonly options: readonly OtherOption[];
  readonly assumption: AssumptionName | null;
}

export type CausesByAspect = ReadonlyMap<Aspect, Causes>;

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

  async causesOf(dispute: Dispute): Promise<CausesByAspect> {
    const { own, aspects } = dispute;
    const shaping = assumedIn(own);
    const governors = new Map(aspects.map((aspect) => [aspect, governorOf(aspect, shaping, dispute)]));
    const governing = new Set(governors.values());
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
        { options: found.get(aspect) ?? [], assumption: governors.get(aspect) ?? null },
      ]),
    );
  }

  /** Looks again at what nothing explained: under the options that explain other calls, together. */
  async again(
    dispute: Dispute,
    causes: CausesByAspect,
    options: readonly OtherOption[],
  ): Promise<CausesByAspect> {
    const isOpen = (aspect: Aspect): boolean => causes.get(aspect)?.options.length === 0;
    if (options.length === 0 || !dispute.aspects.some(isOpen)) return causes;
    const found = await tryTogether(this.#twin, dispute, options);
    if (dispute.aspects.some((aspect) => isOpen(aspect) && !found.has(aspect)))
      add(found, await tryOptions(this.#twin, dispute, assumedIn(dispute.own), options));
    return new Map(
      [...causes].map(([aspect, cause]) => [
        aspect,
        isOpen(aspect) ? { ...cause, options: found.get(aspect) ?? [] } : cause,
      ]),
    );
  }

  /** Some options show only together with another one. */
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

function add(found: Found, more: Found): void {
  for (const [aspect, options] of more) if (!found.has(aspect)) found.set(aspect, options);
}

function isSame(one: OtherOption, other: OtherOption): boolean {
  return one.assumption === other.assumption && one.option === other.option;
}

const ofStatus: readonly AssumptionName[] = [
  'missingKey',
  'invalidKey',
  'throttleReply',
  'wrongMethod',
  'unknownPath',
  'cors',
  'emptyBatch',
  'malformedBody',
  'unknownId',
  'invalidParameters',
  'operationFailureStatus',
];

const ofBody: readonly AssumptionName[] = [
  'unmatchedBody',
  'gatewayRefusalBody',
  'operationFailureBody',
  'refusalBody',
];

/** The assumptions that decide whether an element fails. */
const ofElements = assumptionNames.filter((name) =>
  Object.hasOwn(assumptions[name].options, 'element-error'),
);

/** The assumptions that aspects belong to if no option explains them, the first that shaped the reply. */
const governors: Readonly<Record<Aspect['aspect'], readonly AssumptionName[]>> = {
  status: [...ofStatus, ...ofElements],
  header: ['retryAfter', 'rateLimitHeaders', ...ofBody, ...ofStatus],
  encoding: [],
  body: [...ofBody, ...ofStatus],
  outputs: [...ofElements, 'batchProcessing', ...ofStatus],
  shape: [...ofBody, 'responseFields'],
};

function governorOf(
  { aspect, place, left, right }: Aspect,
  named: readonly AssumptionName[],
  dispute: Dispute,
): AssumptionName | null {
  if (place === 'retry-after') return 'retryAfter';
  if (isLimitHeader(place)) return 'rateLimitHeaders';
  if (place.startsWith('access-control-')) return 'cors';
  // A different number of outputs comes from batch processing, not from single elements. A refusal because of a
  // violation of the contract does not: `invalidParameters` determines it, for single calls and batches alike.
  const isOfBatch = aspect === 'outputs' && left.split(',').length !== right.split(',').length;
  const isRefused = isRefusedBatch(dispute);
  const isOfViolation = isRefused && named.includes('invalidParameters');
  if ((isOfBatch || isRefused) && !isOfViolation && named.includes('batchProcessing'))
    return 'batchProcessing';
  const isPreflight = dispute.request.method === 'OPTIONS';
  // Every reply has the CORS headers, but only the reply to a preflight request consists of nothing else.
  const isApt = (name: AssumptionName): boolean => named.includes(name) && (name !== 'cors' || isPreflight);
  return governors[aspect].find(isApt) ?? null;
}

/** Whether the service refused a batch of which the sandbox processed some elements and not others. */
function isRefusedBatch({ request, seen, own }: Dispute): boolean {
  if ((request.elements?.length ?? 0) < 2 || 'failure' in seen || 'failure' in own) return false;
  const isFailed = outputsIn(parseJson(own.text))?.some(({ status }) => status !== 'ok') === true;
  return seen.status >= 400 && isFailed;
}
