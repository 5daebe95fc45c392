import { SandboxError } from '../base/errors.ts';
import type { Given } from './command.ts';

/**
 * Reads `--upstream`, the URL before `/public/…`. `purpose` is for the error message. Throws SandboxError if
 * it is missing or not a base URL.
 */
export function readUpstreamUrl(given: Given, purpose: string): URL {
  const text = given.get('upstream')?.at(-1);
  if (text === undefined)
    throw new SandboxError(`Set the service ${purpose}, for example: --upstream https://service.example`);
  const example = 'such as https://service.example or http://127.0.0.1:4010';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new SandboxError(
      `--upstream must be a URL, ${example}, but is ${JSON.stringify(withoutPassword(text))}.`,
    );
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new SandboxError(
      '--upstream must not contain a user name or password. Calls are authenticated with the key of a school.',
    );
  }
  if (url.search !== '' || url.hash !== '')
    throw new SandboxError(`--upstream must not contain ? or #, ${example}.`);
  if (/\/public(\/[^/]*)?\/?$/.test(url.pathname)) {
    const base = text.replace(/\/public(\/[^/]*)?\/?$/, '');
    throw new SandboxError(
      `--upstream must not contain /public, which every call adds. Did you mean --upstream ${base}`,
    );
  }
  return url;
}

/** Masks a password in an invalid URL. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@');
}
