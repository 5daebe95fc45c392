import { isObject } from '../base/is-object.ts';
import { parseInPieces } from '../base/parse-in-pieces.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

/** Parses JSON text. Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same in slices, for long text. */
export function* parsingJson(text: string): SlicedWork<unknown> {
  try {
    return yield* parseInPieces(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the parameters of each element (specification, Common conventions 3): undefined for an element
 * without any; no elements if the body is not a batch.
 */
export function parametersIn(body: unknown): readonly unknown[] {
  const elements = isObject(body) ? body['data'] : undefined;
  return Array.isArray(elements)
    ? elements.map((element: unknown) => (isObject(element) ? element['data'] : undefined))
    : [];
}

/** The output of an element, as far as a client can read it. */
export type SeenOutput =
  | { readonly status: 'ok'; readonly data: unknown }
  | { readonly status: 'error' }
  | { readonly status: 'unreadable' };

/** Returns the outputs of a reply (specification, Common conventions 4). Null if the reply is not a list. */
export function outputsIn(reply: unknown): readonly SeenOutput[] | null {
  return Array.isArray(reply) ? reply.map(seen) : null;
}

function seen(member: unknown): SeenOutput {
  const output = isObject(member) ? member['output'] : undefined;
  if (!isObject(output)) return { status: 'unreadable' };
  if (output['status'] === 'ok') return { status: 'ok', data: output['data'] };
  return { status: output['status'] === 'error' ? 'error' : 'unreadable' };
}
