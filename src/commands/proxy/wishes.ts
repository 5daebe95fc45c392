import { unbracketed } from '../../base/unbracketed.ts';
import { SandboxError } from '../../base/errors.ts';
import type { ConnectionOptions } from '../../http/connection/options.ts';
import type { Settings } from '../../server/server.ts';
import { readAssumptions } from '../../store/read-assumptions.ts';
import type { Given, Invocation } from '../command.ts';
import { isOfProxy, usualProxyPort } from './command.ts';
import { readSettings } from '../settings.ts';
import { readConnection } from '../connection-flags.ts';
import { readUpstreamUrl } from '../upstream-url.ts';
import { aNumber, readValue } from '../../settings/value-rule.ts';

/** The upstream and how to call it. */
export interface UpstreamWish {
  readonly url: URL;
  /** Maximum time without data from the upstream. */
  readonly timeoutMs: number;
  /** Whether violations become error responses. */
  readonly errors: boolean;
  /** How to reach it: directly, unless set. */
  readonly connection?: ConnectionOptions;
}

/**
 * Returns the settings of the proxy's server. Checks the files and texts that they name, too, because a proxy loads for
 * seconds before its server reads them.
 */
export async function readProxySettings({
  given,
  environment,
  terminals,
}: Pick<Invocation, 'given' | 'environment' | 'terminals'>): Promise<Settings> {
  const log = terminals.out ? ('pretty' as const) : ('silent' as const);
  const settings = await readSettings(given, environment, isOfProxy);
  await readAssumptions(settings);
  return { port: usualProxyPort, log, ...settings };
}

/** Throws SandboxError if the upstream is missing or unusable. */
export function readUpstream(
  { given, environment, err }: Pick<Invocation, 'given' | 'environment' | 'err'>,
  settings: Settings,
): UpstreamWish {
  const url = readUpstreamUrl(given, 'to forward calls to');
  if (isSelf(url, settings)) {
    throw new SandboxError(
      `--upstream ${url.href} is this proxy itself. Set another server, or change the proxy's --port.`,
    );
  }
  const connection = readConnection({ given, environment, err }, url);
  return { url, timeoutMs: readTimeout(given), errors: given.has('errors'), connection };
}

function readTimeout(given: Given): number {
  const allowed = aNumber(
    'a number of seconds above 0 and up to 3600',
    (seconds) => seconds > 0 && seconds <= 3600,
  );
  return 1000 * readValue(allowed, '--timeout', given.get('timeout')?.at(-1) ?? '30');
}

/** Whether the upstream is this proxy. Longer loops are detected at the first call. */
function isSelf(url: URL, { host = '127.0.0.1', port = 0, publicUrl }: Settings): boolean {
  if (publicUrl !== undefined && new URL(publicUrl).origin === url.origin) return true;
  const own = unbracketed(url.hostname);
  const isHere = own === host || isThisMachine(own);
  return isHere && url.protocol === 'http:' && Number(url.port || 80) === port;
}

function isThisMachine(name: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|0\.0\.0\.0|::)$/.test(name);
}
