import { eachBeyond, type Beyond } from './beyond.ts';
import type { SeenOutput } from './envelope.ts';
import { resultSchemas } from './generated/result-schemas.js';
import type { OperationName } from './operation-types.ts';

/** A kind of thing beyond the contract, with how often a service sent it. `pointer` and `source` are of the first one. */
export interface CountedBeyond extends Beyond {
  readonly operation: OperationName;
  readonly count: number;
  readonly source: string;
}

/** Maximum number of kinds; a service can send any number. */
const maxKinds = 500;

/** Counts what the results of a service have beyond the contract. */
export class BeyondCounts {
  readonly #kinds = new Map<string, CountedBeyond & { count: number }>();

  /** `earlier` are the counts of a run that was interrupted. */
  constructor(earlier: readonly CountedBeyond[] = []) {
    for (const one of earlier) this.#kinds.set(keyOf(one), { ...one });
  }

  /** Counts what the outputs of a response have beyond the contract. `source` names the response. */
  add(operation: OperationName, outputs: readonly SeenOutput[], source: string): void {
    const schema = resultSchemas[operation];
    const count = (one: Beyond): void => {
      const key = keyOf({ operation, ...one });
      const known = this.#kinds.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.#kinds.size < maxKinds) this.#kinds.set(key, { ...one, operation, count: 1, source });
    };
    for (const [index, output] of outputs.entries())
      if (output.status === 'ok') eachBeyond(schema, output.data, `/${index}/output/data`, count);
  }

  /** The most frequent ones first. */
  all(): readonly CountedBeyond[] {
    return [...this.#kinds.values()].toSorted((one, other) => other.count - one.count);
  }
}

function keyOf({
  operation,
  kind,
  place,
  value,
}: Pick<CountedBeyond, 'operation' | 'kind' | 'place' | 'value'>): string {
  return JSON.stringify([operation, kind, place, value]);
}

/** Describes what a service sends beyond the contract. */
export function beyondText({ kind, place, value }: Pick<Beyond, 'kind' | 'place' | 'value'>): string {
  const what = {
    field: 'undocumented field',
    value: `undocumented value ${value}`,
    format: `date-time in the form ${value}`,
    null: 'null',
    type: `of the type ${value}`,
  }[kind];
  return `${place}: ${what}`;
}
