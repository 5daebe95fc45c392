import type { KeyPlace } from '../sandbox/journal-entry.ts';
import { isSecretHeader, maskedHeader, maskedValue, maskQuery } from '../sandbox/secrets.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Call } from './call.ts';
import { withoutEncodedKeys, type ShownKey } from './masking.ts';

/** A part of a request as it is stored, and whether it held a key. */
export interface ShownPart {
  readonly text: string;
  readonly heldKey: boolean;
}

export function shownQuery(query: string, shown: ShownKey): ShownPart {
  if (query === '') return { text: '', heldKey: false };
  return { text: withoutEncodedKeys(maskQuery(query), shown), heldKey: hasKey(query, shown) };
}

/** Returns whether a part of a URL or of a header has a key, plain or encoded. */
export function hasKey(text: string, shown: ShownKey): boolean {
  return text !== '' && withoutEncodedKeys(text, shown) !== text;
}

/** Stores the headers of a request in its sandbox, without secrets. */
export function keptHeaders({
  call,
  sandbox,
  shownKey,
}: {
  readonly call: Pick<Call, 'header' | 'headers'>;
  readonly sandbox: Sandbox;
  readonly shownKey: string | null;
}): readonly string[] {
  const shown = { call, shownKey };
  return sandbox.headers.keep(call.headers, call.header('service-api-key'), {
    shownName: (name) => withoutEncodedKeys(name, shown),
    shown: (name, value) => shownValue(name, value, shown),
    hasKey: (name, value) => !isForKeys(name) && hasKey(value, shown),
  });
}

/** The trailers of a request as they are stored: name, value, name, value … */
interface ShownTrailers {
  readonly list: readonly string[];
  readonly heldKey: boolean;
}

/** Returns the trailers of a call without secrets. A trailer is never the header of the key, even if it has its name. */
export function keptTrailers(shown: ShownKey & { readonly call: Pick<Call, 'trailers'> }): ShownTrailers {
  const { trailers } = shown.call;
  const nameAt = (at: number): string => trailers[at - 1]?.toLowerCase() ?? '';
  const list = trailers.map((text, at) =>
    at % 2 === 0 ? withoutEncodedKeys(text, shown) : shownValue(nameAt(at), text, shown),
  );
  const heldKey = trailers.some((text, at) =>
    at % 2 === 1 && nameAt(at) === 'service-api-key' ? text !== '' : hasKey(text, shown),
  );
  return { list, heldKey };
}

/** Returns the value of a header or trailer without secrets. `name` is in lower case. */
function shownValue(name: string, value: string, shown: ShownKey): string {
  return isSecretHeader(name)
    ? maskedHeader(name, value)
    : withoutEncodedKeys(maskedValue(name, value), shown);
}

/** Returns whether a header may have the key, or the name of a scope that resembles one. */
function isForKeys(name: string): boolean {
  return name === 'service-api-key' || name === 'sandbox-scope';
}

const none: readonly never[] = Object.freeze([]);

/** Returns the wrong places in which a key was sent. */
export function keyPlaces({
  url,
  body = false,
  header,
  trailer = false,
}: { readonly [place in KeyPlace]?: boolean | undefined }): readonly KeyPlace[] {
  if (url !== true && !body && header !== true && !trailer) return none;
  const places = [
    ['url', url],
    ['body', body],
    ['header', header],
    ['trailer', trailer],
  ] as const;
  return places.flatMap(([place, isThere]) => (isThere === true ? [place] : []));
}
