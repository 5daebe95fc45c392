import { eachOption, optionsOf, type FieldOption } from '../contract/field-options.ts';
import { parameterSchemas } from '../contract/generated/parameter-schemas.js';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import type { Schema } from '../contract/openapi.ts';
import { operationNames } from '../contract/operation-types.ts';
import type { Attempt } from './attempt.ts';
import type { Report } from './report.ts';

/** Which operations the client called, and what it sent and met there. Operations that it never called are listed too. */
export function coverage(attempts: readonly Attempt[]): Report['coverage'] {
  return operationNames.map((operation) => {
    const own = attempts.filter(({ entry }) => entry.operation === operation);
    return {
      operation,
      calls: own.length,
      outcomes: tally(own.map(({ entry }) => entry.outcome)),
      faults: tally(own.flatMap(faultsOf)),
      parameters: uses(
        parameterSchemas[operation],
        own.flatMap((attempt) => attempt.elements()),
      ),
      fields: uses(resultSchemas[operation], own.flatMap(resultsIn)),
    };
  });
}

/** How often each text occurs. */
export function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries(counts);
}

export function faultsOf({ entry }: Attempt): readonly string[] {
  return entry.faults.map(({ fault }) => fault);
}

/** Every form that documented fields can have, and how often values had it. */
function uses(schema: Schema, values: readonly unknown[]): Report['coverage'][number]['parameters'] {
  const found: FieldOption[] = [];
  for (const value of values) eachOption(schema, value, (one) => found.push(one));
  const counts = tally(found.map(nameOf));
  return optionsOf(schema).map((one) => ({ ...one, count: counts[nameOf(one)] ?? 0 }));
}

function nameOf({ pointer, option }: FieldOption): string {
  return `${pointer} ${option}`;
}

/** The results that the client was answered. */
function resultsIn(attempt: Attempt): readonly unknown[] {
  return (attempt.outputs() ?? []).flatMap((output) => (output.status === 'ok' ? [output.data] : []));
}
