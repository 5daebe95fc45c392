import { parseKnown } from '../base/parse-known.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { createAjv, type Thoroughness } from './compile.ts';
import type { OpenApiDocument } from './openapi.ts';
import { isIso8601, isRfc3339 } from './date-time-format.ts';
import { formats } from './formats.ts';
import { operationOf, resultSchema } from './openapi.ts';
import { explainOne } from './explain.ts';
import { hintBudget } from './level-hints.ts';
import { isObject } from '../base/is-object.ts';
import type { OperationName } from './operation-types.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { describe, type Violation } from '../base/violation.ts';

/** The maximum number of findings in a list: a reply can have any number. */
const maxListed = 50;

/** What a reply has that the specification excludes, and what it has only otherwise than the sandbox. */
export interface ReplyFindings {
  readonly violations: readonly Violation[];
  /** The specification does not cover these. */
  readonly differences: readonly Violation[];
}

export const noFindings: ReplyFindings = { violations: [], differences: [] };

/** Returns the findings of both, up to the maximum. */
export function bothFindings(one: ReplyFindings, other: ReplyFindings): ReplyFindings {
  return {
    violations: [...one.violations, ...other.violations].slice(0, maxListed),
    differences: [...one.differences, ...other.differences].slice(0, maxListed),
  };
}

/** Explains the findings in the JSON of replies, output by output. Compiles each operation on first use. */
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
    // Other forms of the format are differences from the sandbox.
    for (const ajv of Object.values(this.#ajv)) ajv.addFormat('date-time', isSandboxForm);
    const definitions = { $id: address, $defs: pointing('', document.components.schemas) };
    this.#ajv.every.addSchema(definitions);
    this.#ajv.first.addSchema(withoutRequired(definitions));
    this.#schemas = new Map(
      Object.entries(document.paths).map(([path, { post }]) => [
        operationOf(path),
        resultSchema(document, post),
      ]),
    );
  }

  /**
   * Returns the findings in the outputs of a reply. `mayBeOk` allows successful outputs, which only some
   * statuses have.
   */
  *findings(
    operation: OperationName,
    body: unknown,
    mayBeOk: boolean,
    thoroughness: Thoroughness,
  ): SlicedWork<ReplyFindings> {
    if (!Array.isArray(body)) return violating('', `must be an array of outputs, but is ${describe(body)}.`);
    const violations: Violation[] = [];
    const differences: Violation[] = [];
    for (const [index, member] of body.entries()) {
      if (violations.length >= maxListed) break;
      const found = this.#inMember(operation, member, `/${index}`, mayBeOk, thoroughness);
      violations.push(...found.violations);
      if (differences.length < maxListed) differences.push(...found.differences);
      yield;
    }
    return { violations: violations.slice(0, maxListed), differences: differences.slice(0, maxListed) };
  }

  #inMember(
    operation: OperationName,
    member: unknown,
    pointer: string,
    mayBeOk: boolean,
    thoroughness: Thoroughness,
  ): ReplyFindings {
    if (!isObject(member))
      return violating(pointer, `must be an object with an "output", but is ${describe(member)}.`);
    const { output } = member;
    const place = `${pointer}/output`;
    if (output === undefined) return violating(place, 'is required, but missing.');
    if (!isObject(output)) return violating(place, `must be an object, but is ${describe(output)}.`);
    const { status, data, errorMessage } = output;
    if (status === 'error') {
      if (typeof errorMessage === 'string') return noFindings;
      const lack =
        errorMessage === undefined
          ? 'is required, but missing.'
          : `must be a string, but is ${describe(errorMessage)}.`;
      return violating(`${place}/errorMessage`, lack);
    }
    const known = mayBeOk ? '"ok" or "error"' : '"error"';
    if (status !== 'ok' || !mayBeOk)
      return violating(`${place}/status`, `must be ${known}, but is ${describe(status)}.`);
    if (data === undefined) return violating(`${place}/data`, 'is required, but missing.');
    return this.#inResult(operation, data, `${place}/data`, thoroughness);
  }

  /** Looks at a result. Which of its fields are required is not specified. */
  #inResult(
    operation: OperationName,
    data: unknown,
    pointer: string,
    thoroughness: Thoroughness,
  ): ReplyFindings {
    const validate = this.#validator(operation, thoroughness);
    if (validate(data)) return noFindings;
    const violations: Violation[] = [];
    const differences: Violation[] = [];
    const hints = hintBudget();
    for (const error of (validate.errors ?? []).slice(0, maxListed)) {
      const found = explainOne(error, pointer, 'It has', hints);
      if (error.keyword === 'required') differences.push(asMissing(found));
      else if (isOtherDateTime(error)) differences.push(asOtherForm(found.pointer, error.data));
      else violations.push(found);
    }
    return { violations, differences };
  }

  #validator(operation: OperationName, thoroughness: Thoroughness): ValidateFunction {
    const compiled = this.#compiled[thoroughness];
    const known = compiled.get(operation);
    if (known !== undefined) return known;
    const schema = pointing(address, this.#schemas.get(operation) ?? {});
    // A missing field, which is not a violation, would hide the first violation.
    const validate = this.#ajv[thoroughness].compile(
      thoroughness === 'first' ? withoutRequired(schema) : schema,
    );
    compiled.set(operation, validate);
    return validate;
  }
}

function violating(pointer: string, message: string): ReplyFindings {
  return { violations: [{ pointer, message }], differences: [] };
}

function asMissing({ pointer, message }: Violation): Violation {
  return { pointer, message: message.replace('is required, but missing.', 'is documented, but missing.') };
}

const address = 'https://contract.example/';

/** The specification requires ISO 8601, which has more forms than the contract: without a time zone, for example. */
function isOtherDateTime({ keyword, params, data }: ErrorObject): boolean {
  return keyword === 'format' && params['format'] === 'date-time' && (isIso8601(data) || isRead(data));
}

/** RFC 3339 allows a space instead of the T, and some readers a time zone without a colon. */
function isRead(data: unknown): boolean {
  return typeof data === 'string' && formats['date-time'](data);
}

function isSandboxForm(text: string): boolean {
  return isRfc3339(text) && formats['date-time'](text);
}

function asOtherForm(pointer: string, data: unknown): Violation {
  const message = `is an ISO 8601 date-time in another form than the sandbox's, which has a T, seconds and a time zone with a colon: ${describe(data)}.`;
  return { pointer, message };
}

function withoutRequired(schema: object): object {
  return parseKnown(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'required' && Array.isArray(value) ? undefined : value,
    ),
  );
}

/** Returns the schema with its references to the document pointing to the definitions at an address. */
function pointing(to: string, schema: object): object {
  return parseKnown(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${to}#/$defs/`));
}
