/** The programmatic API of the package `learning-platform-sandbox`. */
import { createSandbox, type NewSandbox } from './control/create-sandbox.ts';
import { sandboxHandle, type SandboxHandle } from './control/sandbox-handle.ts';
import { startServer, type Settings } from './server.ts';

export type { PartialOptions, ProfileName } from './assumptions.ts';

export type { ClockSetting } from './control/clock.ts';
export type { NewSandbox } from './control/create-sandbox.ts';
export type { SandboxHandle } from './control/sandbox-handle.ts';
export type { FaultRule, NewFaultRule } from './faults/rule.ts';
export type { JournalEntry } from './sandbox/journal.ts';
export { Misuse } from './sandbox/misuse.ts';
export type { Settings } from './server.ts';

/** A server in this process. */
export interface SandboxServer extends AsyncDisposable {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  /** The sandbox that the keys `sbx_default_<school>` name. */
  readonly default: SandboxHandle;
  /** A world of its own, which nothing else touches. Throws Misuse where it cannot be had. */
  createSandbox(request?: NewSandbox): Promise<SandboxHandle>;
  /** A sandbox by its id, such as one that a key has opened; null where there is none. */
  sandbox(id: string): SandboxHandle | null;
  /** Finishes what is in flight, writes the state, and stops. */
  close(): Promise<void>;
}

export interface StartOptions extends Settings {
  /** Where warnings go, such as a state file that had to be moved aside. Nowhere by default. */
  warn?: (message: string) => void;
}

/**
 * Starts a sandbox server in this process; `port: 0` takes any free one. The settings are the flags of `lp-sandbox start`.
 * Throws Misuse for settings that cannot be had, and Error where the port is taken.
 */
export async function startSandbox({ warn = () => {}, ...settings }: StartOptions = {}): Promise<SandboxServer> {
  const running = await startServer(settings, { out: warn, err: warn, owner: 'a server inside another program' });
  const { url, sandboxes } = running;
  return {
    url,
    default: sandboxHandle(sandboxes.default, url),
    createSandbox: async (request = {}) => sandboxHandle(await createSandbox(running, request), url),
    sandbox: (id) => {
      const found = sandboxes.get(id);
      return found === undefined ? null : sandboxHandle(found, url);
    },
    close: () => running.stop(),
    [Symbol.asyncDispose]: () => running.stop(),
  };
}
