import type { ValidateFunction } from 'ajv';
import { createAjv, type Thoroughness } from './compile.ts';
import type { OpenApiDocument } from './openapi.ts';
import { operationOf, resultSchema } from './openapi.ts';
import { explain } from './explain.ts';
import { isObject } from '../base/is-object.ts';
import type { OperationName } from './operation-types.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { describe, type Violation } from '../base/violation.ts';

/** The maximum number of violations in a list: a reply can have any number. */
const maxListed = 50;

/** Explains the violations in the JSON of replies, output by output. Compiles each operation on first use. */
export class ReplyCheck {
  readonly #ajv: Readonly<Record<Thoroughness, ReturnType<typeof createAjv>>> = {
    every: createAjv(),
    first: createAjv('functions', 'first'),
  };
  readonly #schemas: ReadonlyMap<string, object>;
  readonly #compiled = {
    every: new Map<string, ValidateFunction>(),
    first: new Map<string, ValidateFunction>(),
  };

  constructor(document: OpenApiDocument) {
    const definitions = { $id: address, $defs: pointing('', document.components.schemas) };
    for (const ajv of Object.values(this.#ajv)) ajv.addSchema(definitions);
    this.#schemas = new Map(
      Object.entries(document.paths).map(([path, { post }]) => [
        operationOf(path),
        resultSchema(document, post),
      ]),
    );
  }

  /**
   * Returns the violations in the outputs of a reply. `mayBeOk` allows successful outputs, which only some
   * statuses have.
   */
  *violations(
    operation: OperationName,
    body: unknown,
    mayBeOk: boolean,
    thoroughness: Thoroughness,
  ): SlicedWork<readonly Violation[]> {
    if (!Array.isArray(body))
      return [{ pointer: '', message: `must be an array of outputs, but is ${describe(body)}.` }];
    const found: Violation[] = [];
    for (const [index, member] of body.entries()) {
      if (found.length >= maxListed) break;
      found.push(...this.#memberViolations(operation, member, `/${index}`, mayBeOk, thoroughness));
      yield;
    }
    return found.slice(0, maxListed);
  }

  #memberViolations(
    operation: OperationName,
    member: unknown,
    pointer: string,
    mayBeOk: boolean,
    thoroughness: Thoroughness,
  ): readonly Violation[] {
    if (!isObject(member))
      return [{ pointer, message: `must be an object with an "output", but is ${describe(member)}.` }];
    const { output } = member;
    const place = `${pointer}/output`;
    if (output === undefined) return [{ pointer: place, message: 'is required, but missing.' }];
    if (!isObject(output))
      return [{ pointer: place, message: `must be an object, but is ${describe(output)}.` }];
    const { status, data, errorMessage } = output;
    if (status === 'error') {
      if (typeof errorMessage === 'string') return [];
      const lack =
        errorMessage === undefined
          ? 'is required, but missing.'
          : `must be a string, but is ${describe(errorMessage)}.`;
      return [{ pointer: `${place}/errorMessage`, message: lack }];
    }
    const known = mayBeOk ? '"ok" or "error"' : '"error"';
    if (status !== 'ok' || !mayBeOk)
      return [{ pointer: `${place}/status`, message: `must be ${known}, but is ${describe(status)}.` }];
    if (data === undefined) return [{ pointer: `${place}/data`, message: 'is required, but missing.' }];
    const validate = this.#validator(operation, thoroughness);
    return validate(data)
      ? []
      : (validate.errors ?? []).slice(0, maxListed).map((error) => explain(error, `${place}/data`, 'It has'));
  }

  #validator(operation: OperationName, thoroughness: Thoroughness): ValidateFunction {
    const compiled = this.#compiled[thoroughness];
    const known =
      compiled.get(operation) ??
      this.#ajv[thoroughness].compile(pointing(address, this.#schemas.get(operation) ?? {}));
    compiled.set(operation, known);
    return known;
  }
}

const address = 'https://contract.example/';

/** Returns the schema with its references to the document pointing to the definitions at an address. */
function pointing(to: string, schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${to}#/$defs/`)) as object;
}
