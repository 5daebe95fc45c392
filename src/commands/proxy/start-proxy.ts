import { ValidatingProxy } from '../../contract/validating-proxy.ts';
import { plainConnection, secretsOf } from '../../http/connection/options.ts';
import { UpstreamConnection } from '../../http/connection/upstream-connection.ts';
import { forwardTo, shownUrl } from '../../http/forward.ts';
import type { PassThrough } from '../../http/proxy-app.ts';
import { keepRefusal } from '../../upstream/proxy/keep-refusal.ts';
import { KeyMasks } from '../../upstream/proxy/key-masks.ts';
import { passCall, type PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { defaultMemoryBytes } from '../../base/amounts.ts';
import { MemoryQueue } from '../../sandbox/memory-queue.ts';
import { newToken } from '../../sandbox/random.ts';
import { startServer, type Channels, type Running, type Settings } from '../../server/server.ts';
import type { UpstreamWish } from './wishes.ts';

/** Callbacks while the proxy runs. */
export interface ProxyWatch {
  /**
   * Receives each call before its response is sent; bodies and key are unmasked and must not be written.
   */
  readonly exchange: (passed: PassedExchange) => void | Promise<void>;
  /** Receives each request under /public/ that matches no operation. */
  readonly passedBy: (method: string, path: string, status: number) => void;
}

/**
 * Starts a server that forwards calls and records them in the journal of the sandbox `default`. Creating a
 * ValidatingProxy takes half a second, so a caller that starts several proxies shares one as `made`.
 */
export async function startProxy(
  settings: Settings,
  { url, timeoutMs, errors, connection: options = plainConnection }: UpstreamWish,
  channels: Channels,
  watch: ProxyWatch,
  made?: ValidatingProxy,
): Promise<Running> {
  const validating = made ?? (await ValidatingProxy.create());
  // A request that arrives with this header has gone in a circle.
  const mark = ['sandbox-proxy', newToken()] as const;
  const upstream = shownUrl(url);
  const failed = (error: unknown): void =>
    channels.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  const connection = new UpstreamConnection(url, options);
  const secrets = { others: secretsOf(options), masks: new KeyMasks() };
  const forward = forwardTo({ url, timeoutMs, more: ['Sandbox-Proxy', mark[1]], connection });
  const inFlight = new Set<Promise<unknown>>();
  const running = await startServer(settings, {
    ...channels,
    front: {
      upstream,
      create: ({ sandboxes, observe }) => {
        const told = (passed: PassedExchange): void | Promise<void> => {
          observe(passed.kept, undefined);
          return watch.exchange(passed);
        };
        const { slices, caps } = sandboxes;
        const reading = { slices, caps, queue: new MemoryQueue(defaultMemoryBytes(256)) };
        const means = {
          sandbox: sandboxes.default,
          validating,
          reading,
          forward,
          upstream,
          errors,
          secrets,
          observe: told,
        };
        const pass: PassThrough['pass'] = (call) => {
          const passing = passCall(call, means);
          const over = (): void => void inFlight.delete(passing);
          inFlight.add(passing);
          passing.then(over, over);
          return passing;
        };
        const keepRefused: PassThrough['keepRefusal'] = (request, reply) => {
          const keeping = slices
            .runToEnd(keepRefusal(request, reply, sandboxes.default, secrets))
            .then((kept) => observe(kept, undefined))
            .catch(failed)
            .finally(() => inFlight.delete(keeping));
          inFlight.add(keeping);
        };
        const { passedBy } = watch;
        return { upstream, forward, pass, passedBy, keepRefusal: keepRefused, mark, secrets, failed };
      },
    },
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    // Calls that were cut off are recorded too.
    await Promise.allSettled(inFlight);
    connection.close();
  };
  return { ...running, stop };
}
