import { isObject } from '../parts/is-object.ts';

/** The output of a call with one element. */
export type Output =
  | { readonly status: 'ok'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly status: 'error'; readonly errorMessage: string };

/** Returns the first output in the body of a response, or null if it has none. */
export function readOutput(body: string): Output | null {
  const [element]: readonly unknown[] = listIn(body);
  const output = isObject(element) ? element['output'] : null;
  if (!isObject(output)) return null;
  const { status, data, errorMessage } = output;
  if (status === 'ok' && isObject(data)) return { status, data };
  return status === 'error' && typeof errorMessage === 'string' ? { status, errorMessage } : null;
}

function listIn(body: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** Returns a list in the result of a call; empty if the call failed. Only its objects count. */
export function listOf(output: Output | null, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = output?.status === 'ok' ? output.data[name] : null;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Returns a text in the result of a call, or null. */
export function textOf(output: Output | null, name: string): string | null {
  const value = output?.status === 'ok' ? output.data[name] : null;
  return typeof value === 'string' ? value : null;
}
