import { useEffect, useState } from 'preact/hooks';

/** The page's address: `/console/<sandbox>/<panel>?<query>`. */
export interface Route {
  readonly sandbox: string;
  /** Empty if the address names none. */
  readonly panel: string;
  /** Whether the address goes on behind the panel, where there is nothing. */
  readonly isTooDeep: boolean;
  readonly query: URLSearchParams;
}

export function pathTo(sandbox: string, panel: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(query).toString();
  return `/console/${encodeURIComponent(sandbox)}/${encodeURIComponent(panel)}${asked === '' ? '' : `?${asked}`}`;
}

/** Navigates inside the console without reloading the page. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') dispatchEvent(new Event(departing));
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(history.state, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Replaces the address, which the page reads when the person comes back to it. What the page shows stays. */
export function noteAddress(path: string): void {
  history.replaceState(history.state, '', path);
}

/** Sent before the page adds an entry to the history. */
const departing = 'lp-sandbox:departing';

/** Calls back when the browser has left the address, such as with *Back*. Returns what ends this. */
export function afterBack(onLeft: () => void): () => void {
  const follow = ({ isTrusted }: PopStateEvent): void => {
    if (isTrusted) onLeft();
  };
  addEventListener('popstate', follow);
  return () => removeEventListener('popstate', follow);
}

/**
 * Calls back before the person leaves the address for another one, so that the address can be completed. Returns what
 * ends this.
 */
export function beforeDeparture(complete: () => void): () => void {
  const events = [departing, 'beforeunload'];
  for (const name of events) addEventListener(name, complete);
  return () => {
    for (const name of events) removeEventListener(name, complete);
  };
}

/** The state of an entry of the history that shows something over the one before it. */
const over = 'over';

/** Navigates to an address that shows something over this one, such as a dialog, until `closeOver`. */
export function goOver(path: string): void {
  history.pushState(over, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Navigates to the address below this one, so that *Back* does not open it again. It has the path if it was not shown before. */
export function closeOver(path: string): void {
  // The person has decided to close it. A second such decision must not go back further.
  if (!dispatchEvent(new Event(closing, { cancelable: true }))) return;
  if (history.state !== over) return go(path, 'replace');
  // What was below may differ in a filter that was changed since.
  const arrive = (): void => {
    removeEventListener(closing, stay);
    if (location.pathname + location.search !== path) go(path, 'replace');
  };
  addEventListener('popstate', arrive, { once: true });
  addEventListener(closing, stay);
  history.back();
}

/** Sent when the page itself leaves the address, which nothing may hold any more, and cancelled if it is leaving already. */
const closing = 'lp-sandbox:closing';

/** Sent when the browser has left the address, such as with *Back*, and cancelled if it may not. */
const leaving = 'lp-sandbox:leaving';

function stay(event: Event): void {
  event.preventDefault();
}

/**
 * Keeps the browser from leaving the page, which asks first, and the page from leaving its address: calls back
 * instead. Returns what ends this.
 */
export function holdAddress(onLeave: () => void): () => void {
  const { href } = location;
  const state: unknown = history.state;
  const hold = (event: Event): void => {
    event.preventDefault();
    if (location.href === href) return;
    history.pushState(state, '', href);
    onLeave();
  };
  const end = (): void => {
    removeEventListener(leaving, hold);
    removeEventListener('beforeunload', stay);
    removeEventListener(closing, end);
  };
  addEventListener(leaving, hold);
  addEventListener('beforeunload', stay);
  addEventListener(closing, end);
  return end;
}

/** The parts of the page's path behind the first one, and its query. */
interface Address {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Returns the current address and follows its changes. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const follow = (event: PopStateEvent): void => {
      // The page's own navigation, such as after *Save*, is what the person wants.
      const mayLeave = !event.isTrusted || dispatchEvent(new Event(leaving, { cancelable: true }));
      if (mayLeave) setAddress(readAddress());
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  return address;
}

/** Returns the current route and follows its changes. */
export function useRoute(): Route {
  const { parts, query } = useAddress();
  const [sandbox = '', panel = '', ...rest] = parts;
  return { sandbox: sandbox === '' ? 'default' : sandbox, panel, isTooDeep: hasAny(rest), query };
}

/** Whether there is anything in parts of an address, which may end with a slash. */
export function hasAny(parts: readonly string[]): boolean {
  return parts.some((part) => part !== '');
}

function readAddress(): Address {
  const [, , ...parts] = location.pathname.split('/').map(decoded);
  return { parts, query: new URLSearchParams(location.search) };
}

/** Decodes a part of the address, which may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
