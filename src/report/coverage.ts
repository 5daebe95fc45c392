import { eachOption, optionsOf, type FieldOption } from '../contract/field-options.ts';
import { parameterSchemas } from '../contract/generated/parameter-schemas.js';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import type { Schema } from '../contract/openapi.ts';
import { operationNames } from '../contract/operation-types.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Attempt } from './attempt.ts';
import { groupBy } from '../base/group-by.ts';
import type { Report } from './report.ts';

/**
 * Returns the client's calls, parameters and responses by operation, including operations that were never
 * called.
 */
export function* findCoverage(attempts: readonly Attempt[]): SlicedWork<Report['coverage']> {
  const byOperation = groupBy(attempts, ({ entry }) => entry.operation);
  const covered: Report['coverage'][number][] = [];
  for (const operation of operationNames) {
    const own = byOperation.get(operation) ?? [];
    const parameters = new Uses(parameterSchemas[operation]);
    const fields = new Uses(resultSchemas[operation]);
    for (const attempt of own) {
      for (const sent of attempt.elements()) parameters.count(sent);
      for (const result of resultsIn(attempt)) fields.count(result);
      yield;
    }
    covered.push({
      operation,
      calls: own.length,
      outcomes: tally(own.map(({ entry }) => entry.outcome)),
      faults: tally(own.flatMap(faultsOf)),
      parameters: parameters.all,
      fields: fields.all,
    });
  }
  return covered;
}

/** Counts how often each text occurs. */
export function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries(counts);
}

export function faultsOf({ entry }: Attempt): readonly string[] {
  return entry.faults.map(({ fault }) => fault);
}

/** Counts how often each variant of the documented fields occurs. */
class Uses {
  readonly #schema: Schema;
  readonly #counts = new Map<string, number>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  count(value: unknown): void {
    eachOption(this.#schema, value, (one) => {
      const name = nameOf(one);
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    });
  }

  get all(): Report['coverage'][number]['parameters'] {
    return optionsOf(this.#schema).map((one) => ({ ...one, count: this.#counts.get(nameOf(one)) ?? 0 }));
  }
}

function nameOf({ pointer, option }: FieldOption): string {
  return `${pointer} ${option}`;
}

/** Returns the results that the client received. */
function resultsIn(attempt: Attempt): readonly unknown[] {
  return (attempt.outputs() ?? []).flatMap((output) => (output.status === 'ok' ? [output.data] : []));
}
