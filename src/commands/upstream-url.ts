import { SandboxError } from '../base/errors.ts';
import type { Given } from './command.ts';

/**
 * The URL of `--upstream`, behind which operations are at `/public/…`. `purpose` says what it is wanted for. Throws SandboxError where there is
 * none, or where it is more than a place.
 */
export function readUpstreamUrl(given: Given, purpose: string): URL {
  const text = given.get('upstream')?.at(-1);
  if (text === undefined) throw new SandboxError(`There is no upstream ${purpose}. Name it: --upstream https://service.example`);
  const example = 'such as https://service.example or http://127.0.0.1:4010';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new SandboxError(`--upstream must be a URL, ${example}, but is ${JSON.stringify(withoutPassword(text))}.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new SandboxError('--upstream must not hold a user name or a password. Calls carry the key of a school instead.');
  }
  if (url.search !== '' || url.hash !== '') throw new SandboxError(`--upstream must end with its path, ${example}: without ? and #.`);
  if (/\/public(\/[^/]*)?\/?$/.test(url.pathname)) {
    const base = text.replace(/\/public(\/[^/]*)?\/?$/, '');
    throw new SandboxError(`--upstream must not hold /public, which is a part of every call. Did you mean --upstream ${base}`);
  }
  return url;
}

/** What was given for a URL may hold a password. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@');
}
