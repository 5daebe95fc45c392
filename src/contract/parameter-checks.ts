import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Options } from '../assumptions.ts';
import { Authors } from '../sandbox/authors.ts';
import { onDemand } from '../on-demand.ts';
import { explain } from './explain.ts';
import type { Thoroughness } from './compile.ts';
import * as firstViolation from './generated/first-violation-validators.js';
import * as everyViolation from './generated/parameter-validators.js';
import type { OperationName } from './operation-types.ts';
import { isWritten, variantName, type Variant } from './variants.ts';
import type { Violation } from './violation.ts';

/**
 * Checks the parameters of one element. `base` is where they stand in the body. Empty where they fit the contract. Finds every
 * violation, or only the first: what is wrong with a large body can be many times as large.
 */
type ParameterCheck = (parameters: unknown, base: string, violations: Thoroughness) => readonly Violation[];

/** The check of every operation, under one reading of the specification. */
export type ParameterChecks = { readonly [N in OperationName]: ParameterCheck };

/** Compiles the contract under readings, once each; the contract as written comes compiled with the package. */
export class ParameterCheckSource {
  readonly #made = new Map<string, Promise<ParameterChecks>>();
  /** Who makes records up, where options want some. */
  readonly authors = new Authors();

  /** The checks under some options; when they are there, everything else is that these need. */
  async checksUnder(variant: Variant & Pick<Options, 'unknownId'>): Promise<ParameterChecks> {
    await this.authors.prepare(variant);
    const name = variantName(variant);
    const known = this.#made.get(name) ?? make(variant);
    this.#made.set(name, known);
    known.catch(() => this.#made.delete(name));
    return known;
  }
}

type Functions = ReadonlyMap<string, ValidateFunction>;

async function make(variant: Variant): Promise<ParameterChecks> {
  const { every, first } = isWritten(variant) ? compiledWithThePackage() : await compileNow(variant);
  const checks = [...every].map(([name, validate]) => [name, checkWith(validate, first.get(name) ?? validate)]);
  // Both sources are made from the paths of the contract, as OperationName is.
  return Object.fromEntries(checks) as ParameterChecks;
}

function compiledWithThePackage(): Record<Thoroughness, Functions> {
  return { every: byOperation(everyViolation), first: byOperation(firstViolation) };
}

/** The functions of a compiled module, whose names are those of operations as an identifier can have them. */
function byOperation(module: Readonly<Record<string, ValidateFunction>>): Functions {
  return new Map(Object.entries(module).map(([name, validate]) => [name.replaceAll('_', '-'), validate]));
}

async function compileNow(variant: Variant): Promise<Record<Thoroughness, Functions>> {
  const { compileAll, parameterSchemas } = await onDemand(() => import('./compile.ts'));
  const { readDocument } = await onDemand(() => import('./document.ts'));
  const schemas = parameterSchemas(readDocument('learning-platform'), variant);
  return { every: compileAll(schemas, 'every'), first: compileAll(schemas, 'first') };
}

const fits: readonly Violation[] = Object.freeze([]);

function checkWith(every: ValidateFunction, first: ValidateFunction): ParameterCheck {
  return (parameters, base, violations) => {
    const validate = violations === 'every' ? every : first;
    return validate(parameters) ? fits : (validate.errors ?? []).map((error: ErrorObject) => explain(error, base));
  };
}
