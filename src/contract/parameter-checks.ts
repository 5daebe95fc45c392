import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Options } from '../assumptions.ts';
import { onDemand } from '../base/on-demand.ts';
import { explain } from './explain.ts';
import type { Thoroughness } from './compile.ts';
import * as firstViolation from './generated/first-violation-validators.js';
import * as everyViolation from './generated/parameter-validators.js';
import { operationNames, type OperationName } from './operation-types.ts';
import { isWritten, variantName, type Variant } from './variants.ts';
import type { Violation } from '../base/violation.ts';

/**
 * Checks the parameters of one element. `base` is where they stand in the body. Empty where they fit the contract. Finds every
 * violation, or only the first: what is wrong with a large body can be many times as large.
 */
type ParameterCheck = (parameters: unknown, base: string, violations: Thoroughness) => readonly Violation[];

/** The check of every operation, under one reading of the specification. */
export type ParameterChecks = { readonly [N in OperationName]: ParameterCheck };

/** Where the checks under a set of options come from. */
export interface CheckSource {
  checksUnder(options: Options): Promise<ParameterChecks>;
}

/** Compiles the contract under readings, each operation once when it is first called; the contract as written comes compiled with the package. */
export class ParameterCheckSource implements CheckSource {
  readonly #made = new Map<string, Promise<ParameterChecks>>();

  async checksUnder(variant: Variant): Promise<ParameterChecks> {
    const name = variantName(variant);
    const known = this.#made.get(name) ?? this.#make(variant);
    this.#made.set(name, known);
    known.catch(() => this.#made.delete(name));
    return known;
  }

  async #make(variant: Variant): Promise<ParameterChecks> {
    const functions = isWritten(variant) ? compiledWithThePackage() : await this.#compiledUnder(variant);
    const checks = operationNames.map((name) => [name, checkWith((violations) => functions[violations](name))]);
    // One for each of the very names.
    return Object.fromEntries(checks) as ParameterChecks;
  }

  async #compiledUnder(variant: Variant): Promise<Record<Thoroughness, FunctionOf>> {
    const { compileOnUse, parameterSchemas } = await onDemand(() => import('./compile.ts'));
    const { contract } = await onDemand(() => import('./generated/contract.js'));
    const schemas = parameterSchemas(contract, variant);
    return { every: compileOnUse(schemas, 'every'), first: compileOnUse(schemas, 'first') };
  }
}

type FunctionOf = (operation: OperationName) => ValidateFunction;

function compiledWithThePackage(): Record<Thoroughness, FunctionOf> {
  return { every: byOperation(everyViolation), first: byOperation(firstViolation) };
}

/** The functions of a compiled module, whose names are those of operations as an identifier can have them. */
function byOperation(module: Readonly<Record<string, ValidateFunction>>): FunctionOf {
  const functions = new Map(Object.entries(module).map(([name, validate]) => [name.replaceAll('_', '-'), validate]));
  return (operation) => {
    const validate = functions.get(operation);
    if (validate === undefined) throw new Error(`The package has no check of ${operation}; build it anew.`);
    return validate;
  };
}

const fits: readonly Violation[] = Object.freeze([]);

function checkWith(functionFor: (violations: Thoroughness) => ValidateFunction): ParameterCheck {
  return (parameters, base, violations) => {
    const validate = functionFor(violations);
    return validate(parameters) ? fits : (validate.errors ?? []).map((error: ErrorObject) => explain(error, base));
  };
}
