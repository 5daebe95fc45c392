/** How the path of every operation begins. */
export const callPrefix = '/public/';

/** Returns whether a request with this target is for an operation. */
export function isCall(target: string | undefined): boolean {
  return target?.startsWith(callPrefix) === true;
}

/** Divides a request target into its path and its query. The query begins with `?`, or is empty. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark) };
}

/** Returns a part of a path without its percent-encoding, or as it is if the encoding is invalid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
