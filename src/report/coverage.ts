import { eachOption, optionsOf, type FieldOption } from '../contract/field-options.ts';
import { parameterSchemas } from '../contract/generated/parameter-schemas.js';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import type { Schema } from '../contract/openapi.ts';
import { operationNames } from '../contract/operation-types.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Attempt, ParsedBodies } from './attempt.ts';
import { groupBy } from '../base/group-by.ts';
import type { Report } from './report.ts';

/** Counts which parameters the client sent, and which fields it received. */
export class Coverage {
  readonly #uses: ReadonlyMap<string, OperationUses> = new Map(
    operationNames.map((operation) => [
      operation,
      { parameters: new Uses(parameterSchemas[operation]), fields: new Uses(resultSchemas[operation]) },
    ]),
  );

  readonly read = ({ operation, outcome }: JournalEntry, { elements, outputs }: ParsedBodies): void => {
    const uses = this.#uses.get(operation);
    if (uses === undefined || outcome === 'unmatched') return;
    for (const sent of elements) uses.parameters.count(sent);
    for (const output of outputs ?? []) if (output.status === 'ok') uses.fields.count(output.data);
  };

  /**
   * Returns the client's calls, parameters and responses by operation, including operations that were never
   * called.
   */
  of(attempts: readonly Attempt[]): Report['coverage'] {
    const byOperation = groupBy(attempts, ({ entry }) => entry.operation);
    return operationNames.map((operation) => {
      const own = byOperation.get(operation) ?? [];
      const uses = this.#uses.get(operation);
      return {
        operation,
        calls: own.length,
        outcomes: tally(own.map(({ entry }) => entry.outcome)),
        faults: tally(own.flatMap(faultsOf)),
        parameters: uses?.parameters.all ?? [],
        fields: uses?.fields.all ?? [],
      };
    });
  }
}

interface OperationUses {
  readonly parameters: Uses;
  readonly fields: Uses;
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
