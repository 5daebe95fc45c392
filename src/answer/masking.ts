import type { SlicedWork } from '../base/sliced-work.ts';
import * as keys from '../sandbox/encoded-keys.ts';
import { maskPath } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** The key of a call, and how it is shown. */
export interface ShownKey {
  readonly call: Pick<Call, 'header'>;
  readonly shownKey: string | null;
}

export function sentKey({ call, shownKey }: ShownKey): keys.SentKey {
  return { key: call.header('service-api-key') ?? '', shown: shownKey ?? '' };
}

/** Returns the text with masked keys, if they are plain. */
export function secretless(text: string, shown: ShownKey): string {
  return keys.withoutPlainKeys(text, sentKey(shown));
}

/** Returns whether a text contains a key unencoded. */
export function hasPlainKey(text: string, shown: ShownKey): boolean {
  return keys.hasPlainKey(text, sentKey(shown));
}

/** As `hasPlainKey`, for a long text. */
export function hasPlainKeyIn(text: string, shown: ShownKey): SlicedWork<boolean> {
  return keys.hasPlainKeyIn(text, sentKey(shown));
}

/** Returns the text of a body with masked keys, plain or encoded. */
export function withoutKeysInBody(text: string, shown: ShownKey): string {
  return keys.withoutKeysInBody(text, sentKey(shown));
}

/** Returns the text of a URL or header with masked keys, plain or encoded. */
export function withoutEncodedKeys(text: string, shown: ShownKey): string {
  return keys.withoutEncodedKeys(text, sentKey(shown));
}

/** Returns a path without keys and other secrets. */
export function shownPath(path: string, shown: ShownKey): string {
  const segments = maskPath(path)
    .split('/')
    .map((segment) => (segment.length < keys.shortestEncoded ? segment : withoutEncodedKeys(segment, shown)));
  // Base64 may contain slashes.
  return withoutEncodedKeys(segments.join('/'), shown);
}
