import type { NetworkInterfaceInfo } from 'node:os';

/** Maximum number of addresses: containers and virtual machines add many. */
const maxShown = 3;

/**
 * Returns the URLs at which other machines reach a server that listens on all addresses. Empty if it listens
 * on a single one, which its own URL has.
 */
export function networkUrls(
  host: string,
  port: number,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .slice(0, maxShown)
    .map(({ address }) => `http://${address}:${port}`);
}
