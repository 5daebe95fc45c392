import { closest, didYouMean } from '../base/did-you-mean.ts';
import { splitTarget } from '../base/request-target.ts';
import { operationNames } from '../contract/operation-types.ts';
import { holdsAnyKey, otherPlaces } from '../answer/misplaced-key.ts';
import type { Explain } from '../answer/unmatched.ts';
import type { RequestHead } from './server/unparsed-request.ts';

/** The first parts of the paths of the pages that show their views by themselves, whatever names these have. */
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
  'faults',
  'openapi.yaml',
  'report',
  'sandboxes',
  'scenarios',
  'seeds',
];

/** A request that was meant for an operation, or leaks a key. */
interface Strayed {
  readonly explain: Explain;
  /** Whether there is something at its path, which its client must get. */
  readonly isServed: boolean;
}

type Request = Pick<RequestHead, 'url' | 'method' | 'header' | 'rawHeaders'>;

/**
 * Returns an explanation for a request that was meant for an operation, but has another path: it has an API key, or
 * its path ends with the name of an operation. Also for one to a page with a key in its URL. Null for all other
 * requests.
 */
export function whyStrayed(request: Request): Strayed | null {
  const { path, query } = splitTarget(request.url ?? '');
  const parts = path.split('/').filter((part) => part !== '');
  const named = operationIn(parts);
  if (isOwn(parts, request, named)) {
    // The filters of the control plane may be keys.
    const leaks = parts[0] !== 'control' && holdsAnyKey(query);
    return leaks ? { explain: keyInUrl, isServed: parts[0] !== 'favicon.ico' } : null;
  }
  const isReserved = ownParts.has(parts[0] ?? '') && parts[1] !== 'public';
  const isMeant = named !== undefined || (parts.includes('public') && !isReserved);
  return isMeant || hasKey(request, query) ? { explain: notThere(parts, named), isServed: false } : null;
}

/** Explains a call on the port of the control plane. */
export const wrongPort: Explain = (shown) => ({
  kind: 'unknown-path',
  title: 'Not found',
  detail: `There is nothing at ${JSON.stringify(shown)} on this port, which serves the control plane. The operations are on the other port of this server.`,
});

function operationIn(parts: readonly string[]): string | undefined {
  const last = parts.at(-1)?.toLowerCase();
  return operationNames.find((name) => name === last);
}

/** Whether a request is that of a person, of one of our pages, or of a client of the control plane. */
function isOwn([first, second]: readonly string[], request: Request, named: string | undefined): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  if (first === undefined) return isRead || !hasKey(request, '');
  if (!ownParts.has(first) || second === 'public') return false;
  if (first !== 'control') return isRead && (named === undefined || appParts.includes(first));
  if (second === undefined) return isRead;
  // The suffix of a report selects its format.
  const name = second.replace(/^report\..*/, 'report');
  return controlParts.includes(name) || closest(name, controlParts) !== undefined;
}

function hasKey(request: Request, query: string): boolean {
  const places = otherPlaces({ query, headers: request.rawHeaders });
  return request.header('service-api-key') !== undefined || places.some(holdsAnyKey);
}

function notThere(parts: readonly string[], named: string | undefined): Explain {
  const hint =
    named === undefined
      ? didYouMean(`/public/${parts.at(-1) ?? ''}`, operationPaths)
      : ` Did you mean "/public/${named}"?`;
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
