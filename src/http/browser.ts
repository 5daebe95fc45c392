/** The parts of a request that show who sent it. */
interface Asking {
  readonly method?: string | undefined;
  header(name: string): string | undefined;
}

/**
 * Returns whether a person opened this address in a browser, so that an error should be a page. A browser
 * asks for HTML first, and adds no key and no token when it opens an address. Java's HttpURLConnection asks
 * for HTML too, by default, but as a program.
 */
export function isBrowser(request: Asking): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (keyHeaders.some((name) => request.header(name) !== undefined)) return false;
  // A program does not navigate, whatever it accepts.
  if (request.header('sec-fetch-mode') === 'navigate') return true;
  const accept = request.header('accept') ?? '';
  return /^\s*text\/html\b/i.test(accept) && !accept.startsWith(javaAccept);
}

const keyHeaders = ['service-api-key', 'authorization', 'x-api-key', 'api-key', 'apikey', 'x-auth-token'];

const javaAccept = 'text/html, image/gif, image/jpeg';
