import { Misuse } from '../../sandbox/misuse.ts';
import type { Settings } from '../../server.ts';
import type { Given, Invocation } from '../command.ts';
import { isOfProxy, usualProxyPort } from '../proxy.ts';
import { readSettings } from '../settings.ts';

/** Where calls go, and how. */
export interface UpstreamWish {
  readonly url: URL;
  /** How long it may be silent, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether violations become errors. */
  readonly errors: boolean;
}

/** The settings of the proxy's own server. */
export async function readProxySettings({ given, environment, terminals }: Invocation): Promise<Settings> {
  const log = terminals.out ? ('pretty' as const) : ('silent' as const);
  return { port: usualProxyPort, log, ...(await readSettings(given, environment, isOfProxy)) };
}

/** Throws Misuse where there is no upstream that calls can go to. */
export function readUpstream(given: Given, settings: Settings): UpstreamWish {
  const [text] = given.get('upstream')?.slice(-1) ?? [];
  if (text === undefined) throw new Misuse('There is no upstream to pass calls on to. Name it: --upstream https://service.example');
  const url = readUrl(text);
  if (isSelf(url, settings)) {
    throw new Misuse(`--upstream ${shownText(text)} is this proxy itself. Name another server, or give the proxy another --port.`);
  }
  return { url, timeoutMs: readTimeout(given), errors: given.has('errors') };
}

function readUrl(text: string): URL {
  const example = 'such as https://service.example or http://127.0.0.1:4010';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Misuse(`--upstream must be a URL, ${example}, but is ${JSON.stringify(shownText(text))}.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new Misuse('--upstream must not hold a user name or a password. The client sends its key, which is passed on.');
  }
  if (url.search !== '' || url.hash !== '') throw new Misuse(`--upstream must end with its path, ${example}: without ? and #.`);
  if (/\/public(\/[^/]*)?\/?$/.test(url.pathname)) {
    const base = text.replace(/\/public(\/[^/]*)?\/?$/, '');
    throw new Misuse(`--upstream must not hold /public, which is a part of every call. Did you mean --upstream ${base}`);
  }
  return url;
}

/** What was given for a URL may hold a password. */
function shownText(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@');
}

function readTimeout(given: Given): number {
  const text = given.get('timeout')?.at(-1) ?? '30';
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw new Misuse(`--timeout must be a number of seconds above 0, up to 3600, but is ${JSON.stringify(text)}.`);
}

/** Whether calls would come straight back. What leads back in a roundabout way is found when the first call does. */
function isSelf(url: URL, { host = '127.0.0.1', port = 0, publicUrl }: Settings): boolean {
  if (publicUrl !== undefined && new URL(publicUrl).origin === url.origin) return true;
  const own = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = own === host || isThisMachine(own);
  return isHere && url.protocol === 'http:' && Number(url.port || 80) === port;
}

function isThisMachine(name: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(name);
}
