import { keysOf } from '../base/keys.ts';
import type { paths } from './generated/api.ts';
import { operationFacts } from './generated/facts.ts';

/** The name of an operation: the last segment of its path. */
export type OperationName = keyof typeof operationFacts;

type Body<N extends OperationName> =
  paths[`/public/${N}`]['post']['requestBody']['content']['application/json'];
type Reply<N extends OperationName> =
  paths[`/public/${N}`]['post']['responses'][200]['content']['application/json'];

/**
 * The parameters of an element: the inner `data` of the request envelope. Every field is optional, because
 * the specification leaves open which are required (the assumption `requiredFields`).
 */
export type Parameters<N extends OperationName> = Optional<Body<N>['data'][number]['data']>;

/**
 * `T` with every field optional at all depths. Allows `undefined`, so that parts can be passed on unchanged.
 */
export type Optional<T> = T extends readonly (infer M)[]
  ? readonly Optional<M>[]
  : T extends object
    ? { readonly [K in keyof T]?: Optional<T[K]> | undefined }
    : T;

/** The result of an operation: `output.data` of the response envelope on success. */
export type Result<N extends OperationName> = Extract<Reply<N>[number]['output'], { status: 'ok' }>['data'];

export const operationNames = keysOf(operationFacts);

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operationFacts, name);
}
