/** A version, a trace id, a parent id and flags. Later versions than `00` may add fields (W3C Trace Context). */
const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

const onlyZeros = /^0+$/;

/** Returns the trace id in the value of a header `traceparent`; null if the header is missing or invalid. */
export function traceIdOf(header: string | undefined): string | null {
  const [, version, traceId, parentId, added] = form.exec(header ?? '') ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return null;
  if (version === 'ff' || (version === '00' && added !== undefined)) return null;
  return onlyZeros.test(traceId) || onlyZeros.test(parentId) ? null : traceId;
}
