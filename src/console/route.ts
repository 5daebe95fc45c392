import { useEffect, useState } from 'preact/hooks';

/** What the address of the page says: `/console/<sandbox>/<panel>?<query>`. */
export interface Route {
  readonly sandbox: string;
  /** Empty where none is named. */
  readonly panel: string;
  readonly query: URLSearchParams;
}

export function pathTo(sandbox: string, panel: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(query).toString();
  return `/console/${encodeURIComponent(sandbox)}/${encodeURIComponent(panel)}${asked === '' ? '' : `?${asked}`}`;
}

/** Goes to another place in the console without loading the page anew. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The route as it is, and as it becomes. */
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
  return { sandbox: sandbox === '' ? 'default' : sandbox, panel, query: new URLSearchParams(location.search) };
}

/** A part of an address that anybody may have typed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
