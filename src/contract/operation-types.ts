import type { paths } from './generated/api.ts';
import { operationFacts } from './generated/facts.ts';

/** The name of an operation: the last segment of its path. */
export type OperationName = keyof typeof operationFacts;

type Body<N extends OperationName> = paths[`/public/${N}`]['post']['requestBody']['content']['application/json'];
type Reply<N extends OperationName> = paths[`/public/${N}`]['post']['responses'][200]['content']['application/json'];

/**
 * What an element of a call gives its operation: the inner `data` of the request envelope. Nothing is sure to be there, since
 * which parameters are required is open (the assumption `requiredFields`).
 */
export type Parameters<N extends OperationName> = Optional<Body<N>['data'][number]['data']>;

/** Every field optional, all the way down; with `undefined` allowed, so that parts can be passed on as they came. */
export type Optional<T> = T extends readonly (infer M)[]
  ? readonly Optional<M>[]
  : T extends object
    ? { readonly [K in keyof T]?: Optional<T[K]> | undefined }
    : T;

/** What an operation answers on success: `output.data` of the response envelope. */
export type Result<N extends OperationName> = Extract<Reply<N>[number]['output'], { status: 'ok' }>['data'];

/** `Object.keys` of the generated list itself, so the names are exactly its keys. */
export const operationNames = Object.keys(operationFacts) as OperationName[];

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operationFacts, name);
}
