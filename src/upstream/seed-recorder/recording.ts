import { outputsIn, parametersIn, parseJson } from '../../contract/envelope.ts';
import {
  isOperationName,
  type OperationName,
  type Optional,
  type Parameters,
  type Result,
} from '../../contract/operation-types.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { complete, type Collections } from './complete.ts';
import { Incidents, type Course, type RecordedLatency, type RecordedScenario } from './incidents.ts';
import { inferences, type Seen } from './infer.ts';
import { fieldKinds, type Kinds } from './kinds.ts';
import { maskFields } from './mask-fields.ts';
import { digestWith, type Digest } from './mask/digest.ts';
import { Masker, type MaskerParts } from './mask/masker.ts';
import { Notebook } from './notebook.ts';
import { notebookFrom, stateOf } from './notebook-state.ts';
import { relativeTo } from './relative-times.ts';
import { reportOn, type OperationCount, type RecordReport } from './report.ts';
import { seal, unseal, type RecordingState, type SealedState } from './sealed-state.ts';
import { Tally } from './tally.ts';

/** One call to the service. */
export interface PassingExchange {
  readonly operation: string;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly status: number;
  /** Other facts about the call; by default, like one that is in time and has no Retry-After. */
  readonly course?: Partial<Course>;
  /** Distinguishes schools; only its digest is stored. */
  readonly key: string | null;
}

const uneventful = { failure: null, retryAfter: null, tookMs: null } as const;

/** The result of a recording. */
export interface Recorded {
  readonly collections: Collections;
  readonly report: RecordReport;
  /** Failures and unusual values; null if there were none. */
  readonly scenario: RecordedScenario | null;
  /** How long the service took. */
  readonly latencies: readonly RecordedLatency[];
}

/** Learns the service's data from calls. Masks every value first, so that no original value is stored. */
export class Recording {
  readonly #digest: Digest;
  readonly #masker: Masker;
  readonly #tally = new Tally();
  #notebook = new Notebook();
  /** The digests of keys, in the order of their first use. */
  readonly #keys: string[] = [];
  readonly #incidents = new Incidents();
  readonly #counts = new Map<OperationName, OperationCount & { readonly operation: OperationName }>();

  constructor(parts: MaskerParts) {
    this.#digest = digestWith(parts.secret);
    this.#masker = new Masker(parts);
  }

  /** Records a call. Failures and unknown operations add no data and are counted. */
  *observe({
    operation,
    requestBody,
    responseBody,
    status,
    key,
    course = {},
  }: PassingExchange): SlicedWork<void> {
    if (!isOperationName(operation)) return;
    const count = this.#counts.get(operation) ?? { operation, calls: 0, told: 0, toldNothing: 0 };
    this.#counts.set(operation, count);
    count.calls += 1;
    const parameters = parametersIn(parseJson(requestBody));
    const outputs = status === 200 ? outputsIn(parseJson(responseBody)) : null;
    this.#incidents.observe(operation, { ...uneventful, status, ...course }, outputs ?? []);
    if (outputs === null || outputs.length !== parameters.length) {
      count.toldNothing += Math.max(1, parameters.length);
      return;
    }
    for (const [place, output] of outputs.entries()) {
      yield;
      if (output.status !== 'ok') count.toldNothing += 1;
      else {
        count.told += 1;
        const seen = yield* this.#see(operation, parameters[place], output.data);
        this.#learn(operation, seen, this.#schoolOf(key));
      }
    }
  }

  /**
   * Returns the completed data so far. With a moment, in milliseconds since 1970, times are relative to
   * it.
   */
  finish(moment: number | null = null): Recorded {
    // Completing modifies the notebook.
    const notebook = notebookFrom(stateOf(this.#notebook));
    const { collections, filled } = complete(notebook, this.#keys.length);
    const counts = [...this.#counts.values()];
    return {
      collections: moment === null ? collections : relativeTo(moment, collections),
      report: reportOn({
        collections,
        filled,
        counts,
        tally: this.#tally,
        notebook,
        keys: this.#keys.length,
      }),
      scenario: this.#incidents.scenario(),
      latencies: this.#incidents.latencies(),
    };
  }

  /** Returns what a later recording with the same secret needs to continue, sealed with the secret. */
  state(): SealedState {
    const state: RecordingState = {
      notebook: stateOf(this.#notebook),
      keys: this.#keys,
      counts: [...this.#counts.values()],
      fields: this.#tally.fields(),
      words: this.#tally.keptWords(),
      dropped: this.#tally.dropped(),
      replacements: this.#masker.replacements(),
      incidents: this.#incidents.state(),
    };
    return seal(this.#digest, state);
  }

  /** Continues an earlier recording. Throws SandboxError if it had another secret, or was changed since. */
  restore(sealed: object): void {
    const state = unseal(this.#digest, sealed);
    this.#notebook = notebookFrom(state.notebook);
    this.#keys.push(...state.keys);
    for (const count of state.counts) this.#counts.set(count.operation, { ...count });
    this.#tally.restore(state.fields, state.words, state.dropped);
    this.#masker.restore(state.replacements);
    this.#incidents.restore(state.incidents);
  }

  /** Whether nothing was learned. */
  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Returns the parameters or the result of an operation in masked form. */
  *mask(operation: OperationName, side: 'parameters' | 'result', value: unknown): SlicedWork<unknown> {
    const kinds: Kinds = fieldKinds[operation][side];
    const tools = { masker: this.#masker, tally: this.#tally };
    return yield* maskFields(kinds, value, `${operation} ${side}`, tools);
  }

  #learn<N extends OperationName>(operation: N, seen: Seen<N>, school: number): void {
    inferences[operation]?.(seen, school, this.#notebook);
  }

  *#see<N extends OperationName>(operation: N, asked: unknown, answered: unknown): SlicedWork<Seen<N>> {
    // Masking leaves only names and types in the table of kinds, which matches the contract's types.
    const parameters = ((yield* this.mask(operation, 'parameters', asked)) ?? {}) as Parameters<N>;
    const result = ((yield* this.mask(operation, 'result', answered)) ?? {}) as Optional<Result<N>>;
    return { parameters, result };
  }

  #schoolOf(key: string | null): number {
    const digest = this.#digest('key', key ?? '').toString('base64url');
    const known = this.#keys.indexOf(digest);
    return known >= 0 ? known : this.#keys.push(digest) - 1;
  }
}
