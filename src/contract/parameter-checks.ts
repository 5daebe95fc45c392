import { recordOf } from '../base/keys.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Options } from '../assumptions.ts';
import { onDemand } from '../base/on-demand.ts';
import { serverLimits } from '../base/server-limits.ts';
import { explain } from './explain.ts';
import type { Thoroughness } from './compile.ts';
import * as firstViolation from './generated/first-violation-validators.js';
import * as everyViolation from './generated/parameter-validators.js';
import { operationNames, type OperationName } from './operation-types.ts';
import { isWritten, variantName, type Variant } from './variants.ts';
import type { Violation } from '../base/violation.ts';

/**
 * Returns the violations in the parameters of one element, empty if they are valid. `base` is their pointer
 * in the body. Can stop at the first violation, because the violations of a large body can be many times as
 * large. Those after the first `maxListed` ones have no text.
 */
type ParameterCheck = (
  parameters: unknown,
  base: string,
  violations: Thoroughness,
  maxListed?: number,
) => readonly Violation[];

/** The check of every operation, for one variant of the contract. */
export type ParameterChecks = { readonly [N in OperationName]: ParameterCheck };

/** Provides the checks for a set of options. */
export interface CheckSource {
  checksUnder(options: Options): Promise<ParameterChecks>;
}

/**
 * Compiles variants of the contract, each operation on its first call. The package ships the written variant
 * compiled.
 */
export class ParameterCheckSource implements CheckSource {
  readonly #created = new Map<string, Promise<ParameterChecks>>();

  async checksUnder(variant: Variant): Promise<ParameterChecks> {
    const name = variantName(variant);
    const known = this.#created.get(name) ?? this.#create(variant);
    this.#created.set(name, known);
    known.catch(() => this.#created.delete(name));
    return known;
  }

  async #create(variant: Variant): Promise<ParameterChecks> {
    const functions = isWritten(variant) ? compiledWithThePackage() : await this.#compiledUnder(variant);
    return recordOf(operationNames, (name) => checkWith((violations) => functions[violations](name)));
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

/** Returns the validators of a compiled module by operation. Its exports have `_` for `-`. */
function byOperation(module: Readonly<Record<string, ValidateFunction>>): FunctionOf {
  const functions = new Map(
    Object.entries(module).map(([name, validate]) => [name.replaceAll('_', '-'), validate]),
  );
  return (operation) => {
    const validate = functions.get(operation);
    if (validate === undefined) throw new Error(`The package has no check for ${operation}; rebuild it.`);
    return validate;
  };
}

const noViolations: readonly Violation[] = Object.freeze([]);

function checkWith(functionFor: (violations: Thoroughness) => ValidateFunction): ParameterCheck {
  return (parameters, base, violations, maxListed = serverLimits.violations.default) => {
    const validate = functionFor(violations);
    return validate(parameters) ? noViolations : explained(validate.errors ?? [], base, maxListed);
  };
}

/** Stands for a violation that is never listed. */
const unlisted: Violation = Object.freeze({ pointer: '', message: '' });

/** Explains as many violations as are listed: a small body can have tens of thousands. The others only count. */
function explained(errors: readonly ErrorObject[], base: string, maxListed: number): readonly Violation[] {
  const plain = plainOf(errors);
  const listed = explain(plain.slice(0, maxListed), base);
  const rest = plain.length - listed.length;
  return rest === 0 ? listed : [...listed, ...Array.from({ length: rest }, () => unlisted)];
}

/**
 * Returns the errors that add information. If a condition does not hold, other errors give the reason; if a value
 * does not have its format, the error about its pattern adds nothing.
 */
function plainOf(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const misformed = new Set(
    errors.flatMap(({ keyword, instancePath }) => (keyword === 'format' ? [instancePath] : [])),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'if' && (keyword !== 'pattern' || !misformed.has(instancePath)),
  );
}
