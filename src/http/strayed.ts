import { didYouMean } from '../base/did-you-mean.ts';
import { splitTarget } from '../base/request-target.ts';
import { operationNames } from '../contract/operation-types.ts';
import type { Explain } from '../answer/unmatched.ts';
import type { RequestHead } from './server/unparsed-request.ts';

/** The first parts of all paths outside `/public/`. */
const ownParts: ReadonlySet<string> = new Set([
  'assets',
  'console',
  'control',
  'demo',
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
  'school',
]);

/**
 * Returns an explanation for a request that was meant for an operation, but has another path: it has an API
 * key, or its path ends with the name of an operation. Null for all other requests.
 */
export function whyStrayed(request: Pick<RequestHead, 'url' | 'method' | 'header'>): Explain | null {
  const { path } = splitTarget(request.url ?? '');
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', second] = parts;
  const hasKey = request.header('service-api-key') !== undefined;
  const isStartPage = parts.length === 0 && !(hasKey && request.method === 'POST');
  if (isStartPage || (ownParts.has(first) && second !== 'public')) return null;
  const last = parts.at(-1) ?? '';
  const named = operationNames.find((name) => name === last.toLowerCase());
  if (named === undefined && !parts.includes('public') && !hasKey) return null;
  const hint =
    named === undefined ? didYouMean(`/public/${last}`, operationPaths) : ` Did you mean "/public/${named}"?`;
  return (shown) => ({
    kind: 'unknown-path',
    title: 'Not found',
    detail: `There is nothing at ${JSON.stringify(shown)}.${hint} The operations are at /public/<operation>; the start page / lists all other pages.`,
  });
}

const operationPaths = operationNames.map((name) => `/public/${name}`);
