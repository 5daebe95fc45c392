import { closest } from '../base/did-you-mean.ts';
import { splitTarget } from '../base/request-target.ts';
import { wordsOfName } from '../base/words-of-name.ts';
import { operationNames } from '../contract/operation-types.ts';
import { holdsAnyKey, otherPlaces } from '../answer/misplaced-key.ts';
import type { Explain } from '../answer/unmatched.ts';
import { isBrowser } from './browser.ts';
import type { RequestHead } from './server/unparsed-request.ts';

/** The first path segments of single-page apps, which handle all paths below by themselves. */
const appParts: readonly string[] = ['console', 'demo', 'school'];

/** The first parts of all paths outside `/public/`. */
const ownParts: ReadonlySet<string> = new Set([
  ...appParts,
  'assets',
  'control',
  'docs',
  'favicon.ico',
  'healthz',
  'media',
  'metrics',
  'openapi.json',
  'openapi.yaml',
  'pages.css',
  'pages.js',
  'readyz',
]);

/** What follows `/control/` in the paths of all routes. The routes themselves are loaded on first use. */
export const controlParts: readonly string[] = [
  'access',
  'faults',
  'openapi.yaml',
  'report',
  'sandboxes',
  'scenarios',
  'seeds',
];

/**
 * Names of health probes, letters only: `_health` and `health-check` match as well. Programs send them with their usual
 * headers, such as a key.
 */
const probed: ReadonlySet<string> = new Set([
  'health',
  'healthcheck',
  'healthjson',
  'healthz',
  'heartbeat',
  'isalive',
  'liveness',
  'livez',
  'ping',
  'readiness',
  'readyz',
  'robotstxt',
]);

/** The same, but in the folder of a record, the client may ask for the status of the record. */
const probedInProbeFolders: ReadonlySet<string> = new Set([
  'alive',
  'check',
  'info',
  'live',
  'ready',
  'status',
  'up',
  'version',
]);

const probeFolder =
  /^(_|-|actuator|api|app|health|internal|management|monitoring|q|rest|service|system|v\d+)$/;

/** A request that was meant for an operation, or leaks a key. */
interface Strayed {
  readonly explain: Explain;
  /** Whether there is something at its path, which its client must get. */
  readonly isServed: boolean;
}

type Request = Pick<RequestHead, 'url' | 'method' | 'header' | 'rawHeaders'>;

/**
 * Returns an explanation for a request that was meant for an operation, but has another path: it has an API key, or
 * its path resembles the name of an operation, or it sends something. Also for one with a key in its URL. Null for all
 * other requests: a client of the control plane may send a key with all that it does, a program may ask whether the
 * service is there, and a person may type any path into a browser.
 */
export function whyStrayed(request: Request): Strayed | null {
  const { path, query } = splitTarget(request.url ?? '');
  const parts = path.split('/').filter((part) => part !== '');
  const isControl = parts[0] === 'control' && parts[1] !== 'public';
  // The filters of the control plane may be keys.
  if (isControl && isControlRoute(parts)) return null;
  const leaks = holdsAnyKey(path) || holdsAnyKey(query);
  if (!isControl && isOwn(parts, request))
    return leaks ? { explain: keyInUrl, isServed: parts[0] !== 'favicon.ico' } : null;
  const isKeyed = leaks || (!isControl && hasKey(request));
  const mayBeTyped = isBrowser(request) && !leaks;
  const meant = mayBeTyped ? exactIn(parts) : operationIn(parts);
  const isReserved = ownParts.has(parts[0] ?? '') && parts[1] !== 'public';
  const isMeant =
    meant !== undefined ||
    (!isReserved && (parts.includes('public') || (parts.length > 0 && !isRead(request))));
  return isMeant || isKeyed ? { explain: notThere(parts, meant), isServed: false } : null;
}

/** Explains a call on the port of the control plane. */
export const wrongPort: Explain = (shown) => ({
  kind: 'unknown-path',
  title: 'Not found',
  detail: `There is nothing at ${JSON.stringify(shown)} on this port, which serves the control plane. The operations are on the other port of this server.`,
});

/** Returns the operation that the end of a path names, or most likely means. */
function operationIn(parts: readonly string[]): string | undefined {
  const exact = exactIn(parts);
  if (exact !== undefined) return exact;
  const ends = [parts.slice(-1), parts.slice(-2), parts.slice(-3), parts.slice(-2, -1)];
  for (const name of ends.map((end) => end.join('-').toLowerCase())) {
    const whole = operationNames.find(
      (known) => known === name || (name.length >= minNameChars && known.endsWith(`-${name}`)),
    );
    const found = whole ?? closest(`/public/${name}`, operationPaths)?.slice('/public/'.length);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Fewer characters, such as "playback", are the end of other names as well. */
const minNameChars = 9;

function exactIn(parts: readonly string[]): string | undefined {
  const last = wordsOfName(parts.at(-1) ?? '').join('-');
  return operationNames.find((name) => name === last);
}

/** Whether a path is, or most likely means, one of the control plane. */
function isControlRoute([, second = '']: readonly string[]): boolean {
  // The suffix of a report selects its format.
  const name = second.replace(/^report\..*/, 'report');
  return controlParts.includes(name) || closest(name, controlParts) !== undefined;
}

/** Whether a request is that of a person, or of one of our pages. */
function isOwn(parts: readonly string[], request: Request): boolean {
  const [first, second] = parts;
  if (first === undefined) return isRead(request) || !hasKey(request);
  if (isProbe(parts) && (isRead(request) || !hasKey(request))) return true;
  if (!isRead(request) || second === 'public') return false;
  const isPage =
    ownParts.has(first) ||
    // Nobody types a key.
    (second === undefined && !hasKey(request) && closest(first, [...ownParts]) !== undefined);
  return isPage && (exactIn(parts) === undefined || appParts.includes(first));
}

function isProbe(parts: readonly string[]): boolean {
  if (parts[0] === 'actuator') return true;
  const folders = parts.slice(0, -1);
  const last = (parts.at(-1) ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');
  if (probed.has(last)) return parts[0] !== 'public' && operationIn(folders) === undefined;
  return probedInProbeFolders.has(last) && folders.every((part) => probeFolder.test(part));
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Whether any header of a request contains a key. */
function hasKey(request: Request): boolean {
  const places = otherPlaces({ query: '', headers: request.rawHeaders });
  return request.header('service-api-key') !== undefined || places.some(holdsAnyKey);
}

function notThere(parts: readonly string[], meant: string | undefined): Explain {
  const hint = meant === undefined ? '' : ` Did you mean "/public/${meant}"?`;
  // Such as a POST to a page.
  const what = ownParts.has(parts[0] ?? '') ? 'no operation' : 'nothing';
  return (shown) => ({
    kind: 'unknown-path',
    title: 'Not found',
    detail: `There is ${what} at ${JSON.stringify(shown)}.${hint} The operations are at /public/<operation>; the start page / lists all other pages.`,
  });
}

const keyInUrl: Explain = (shown) => ({
  kind: 'unknown-path',
  title: 'Key in the URL',
  detail: `The URL of ${JSON.stringify(shown)} has an API key. Send the key only in the header SERVICE-API-KEY, and only to /public/<operation>: URLs end up in logs.`,
});

const operationPaths = operationNames.map((name) => `/public/${name}`);
