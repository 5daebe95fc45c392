import { isObject } from '../base/is-object.ts';

/** A text as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parameters of each element (specification, Common conventions 3); undefined for an element without any, and an empty list for a body that is no batch. */
export function parametersIn(body: unknown): readonly unknown[] {
  const elements = isObject(body) ? body['data'] : undefined;
  return Array.isArray(elements) ? elements.map((element: unknown) => (isObject(element) ? element['data'] : undefined)) : [];
}

/** What an element was answered, as far as a client can make it out. */
export type SeenOutput =
  { readonly status: 'ok'; readonly data: unknown } | { readonly status: 'error' } | { readonly status: 'unreadable' };

/** The outputs of a reply (specification, Common conventions 4); null for a reply that is no list. */
export function outputsIn(reply: unknown): readonly SeenOutput[] | null {
  return Array.isArray(reply) ? reply.map(seen) : null;
}

function seen(member: unknown): SeenOutput {
  const output = isObject(member) ? member['output'] : undefined;
  if (!isObject(output)) return { status: 'unreadable' };
  if (output['status'] === 'ok') return { status: 'ok', data: output['data'] };
  return { status: output['status'] === 'error' ? 'error' : 'unreadable' };
}
