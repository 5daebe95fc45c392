import { useEffect, useState } from 'preact/hooks';

/** The page's address: `/console/<sandbox>/<panel>?<query>`. */
export interface Route {
  readonly sandbox: string;
  /** Empty if the address names none. */
  readonly panel: string;
  readonly query: URLSearchParams;
}

export function pathTo(sandbox: string, panel: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(query).toString();
  return `/console/${encodeURIComponent(sandbox)}/${encodeURIComponent(panel)}${asked === '' ? '' : `?${asked}`}`;
}

/** Navigates inside the console without reloading the page. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Returns the current route and follows its changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  return route;
}

function readRoute(): Route {
  const [, , sandbox = '', panel = ''] = location.pathname.split('/').map(decoded);
  return {
    sandbox: sandbox === '' ? 'default' : sandbox,
    panel,
    query: new URLSearchParams(location.search),
  };
}

/** Decodes a part of the address, which may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
