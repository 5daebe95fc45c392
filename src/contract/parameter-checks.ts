import type { ErrorObject, ValidateFunction } from 'ajv';
import { explain } from './explain.ts';
import * as written from './generated/parameter-validators.js';
import type { OperationName } from './operation-types.ts';
import { isWritten, variantName, type Variant } from './variants.ts';
import type { Violation } from './violation.ts';

/** Checks the parameters of one element. `base` is where they stand in the body. Empty where they fit the contract. */
type ParameterCheck = (parameters: unknown, base: string) => readonly Violation[];

/** The check of every operation, under one reading of the specification. */
export type ParameterChecks = { readonly [N in OperationName]: ParameterCheck };

/** Compiles the contract under readings, once each; the contract as written comes compiled with the package. */
export class ParameterCheckSource {
  readonly #made = new Map<string, Promise<ParameterChecks>>();

  checksUnder(variant: Variant): Promise<ParameterChecks> {
    const name = variantName(variant);
    const known = this.#made.get(name) ?? make(variant);
    this.#made.set(name, known);
    return known;
  }
}

async function make(variant: Variant): Promise<ParameterChecks> {
  const functions = isWritten(variant) ? compiledWithThePackage() : await compileNow(variant);
  const checks = [...functions].map(([name, validate]) => [name, checkWith(validate)]);
  // Both sources are made from the paths of the contract, as OperationName is.
  return Object.fromEntries(checks) as ParameterChecks;
}

function compiledWithThePackage(): ReadonlyMap<string, ValidateFunction> {
  return new Map(Object.entries(written).map(([name, validate]) => [name.replaceAll('_', '-'), validate]));
}

async function compileNow(variant: Variant): Promise<ReadonlyMap<string, ValidateFunction>> {
  const { compileAll, parameterSchemas } = await import('./compile.ts');
  const { readDocument } = await import('./document.ts');
  return compileAll(parameterSchemas(readDocument('learning-platform'), variant));
}

const fits: readonly Violation[] = Object.freeze([]);

function checkWith(validate: ValidateFunction): ParameterCheck {
  return (parameters, base) => (validate(parameters) ? fits : (validate.errors ?? []).map((error: ErrorObject) => explain(error, base)));
}
