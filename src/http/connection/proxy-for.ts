import { unbracketed } from '../../base/unbracketed.ts';
import { SandboxError } from '../../base/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy server for a URL from the variables that most tools use. The lower-case name takes precedence.
 * Null for none.
 */
export function proxyFor(url: URL, environment: Environment): URL | null {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = valueOf(name, environment);
  if (text === '' || isExcepted(url, valueOf('no_proxy', environment))) return null;
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address);
  // The value may contain a password.
  throw new SandboxError(
    `${name.toUpperCase()} must be the URL of an HTTP proxy, such as http://proxy.example:3128. SOCKS proxies are not supported.`,
  );
}

function valueOf(name: string, environment: Environment): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? '';
}

/** Whether NO_PROXY excepts a host: by its name, a parent domain, an address, each with or without a port, or `*`. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const own = unbracketed(hostname).toLowerCase();
  const usualPort = protocol === 'https:' ? '443' : '80';
  const ownPort = port === '' ? usualPort : port;
  return list.split(/[\s,]+/).some((entry) => {
    const [, bracketed, plain = '', wanted] =
      /^(?:\[([^\]]+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = (bracketed ?? plain).replace(/^\*?\./, '');
    if (name === '' || (wanted !== undefined && wanted !== ownPort)) return false;
    return name === '*' || own === name || own.endsWith(`.${name}`);
  });
}
