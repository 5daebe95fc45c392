import { ValidatingProxy } from '../../contract/validating-proxy.ts';
import { forwardTo, shownUrl } from '../../http/forward.ts';
import type { PassThrough } from '../../http/proxy-app.ts';
import { passCall, type PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { newToken } from '../../sandbox/random.ts';
import { startServer, type Channels, type Running, type Settings } from '../../server/server.ts';
import type { UpstreamWish } from './wishes.ts';

/** What is told while the proxy runs. */
export interface ProxyWatch {
  /** Each call with its reply, bodies and key whole: nothing of it may be written as it is. */
  readonly exchange: (passed: PassedExchange) => void;
  /** Each request under /public/ that is no call of an operation. */
  readonly passedBy: (method: string, path: string, status: number) => void;
}

/** Starts a server that passes calls on instead of answering them. All of them stand in the journal of the sandbox `default`. Making what holds them against the contract takes half a second: who starts several proxies gives it to each. */
export async function startProxy(
  settings: Settings,
  { url, timeoutMs, errors }: UpstreamWish,
  channels: Channels,
  watch: ProxyWatch,
  made?: ValidatingProxy,
): Promise<Running> {
  const validating = made ?? (await ValidatingProxy.create());
  // A request that comes back with it has gone round in a circle.
  const mark = ['sandbox-proxy', newToken()] as const;
  const upstream = shownUrl(url);
  const failed = (error: unknown): void => channels.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  const forward = forwardTo({ url, timeoutMs, more: ['Sandbox-Proxy', mark[1]] });
  const inFlight = new Set<Promise<unknown>>();
  const running = await startServer(settings, {
    ...channels,
    front: ({ sandboxes, observe }) => {
      const told = (passed: PassedExchange): void => {
        observe(passed.kept, undefined);
        watch.exchange(passed);
      };
      sandboxes.default.faults.disabledReason = `This server passes calls on to ${upstream}, so no rule of its own takes effect. To have calls fail on purpose, point the client at a sandbox: lp-sandbox start.`;
      const means = { sandbox: sandboxes.default, validating, forward, upstream, errors, observe: told };
      const pass: PassThrough['pass'] = (call) => {
        const passing = passCall(call, means);
        const over = (): void => void inFlight.delete(passing);
        inFlight.add(passing);
        passing.then(over, over);
        return passing;
      };
      return { upstream, forward, pass, passedBy: watch.passedBy, mark, failed };
    },
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    // A call that was cut off is told of, too.
    await Promise.allSettled(inFlight);
  };
  return { ...running, stop };
}
