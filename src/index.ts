/** The programmatic API of the package `learning-platform-sandbox`. */
import type { components } from './contract/generated/control.ts';
import { dispatch } from './control/dispatch.ts';
import { asJson } from './control/as-json.ts';
import type { Send } from './control/sandbox-handle.ts';
import { serverHandle, type SandboxServer } from './control/server-handle.ts';
import { SandboxError } from './base/errors.ts';
import { StoppedError } from './sandbox/slices.ts';
import { startServer, type Settings } from './server/server.ts';
import { settingsFromCode, type Rules } from './settings/gather.ts';
import { otherNames, serverRules } from './server/settings.ts';
import { aFunction } from './settings/value-rule.ts';

export type { AssumptionName, OptionOf, PartialOptions, ProfileName } from './assumptions.ts';
export type { Records } from './contract/generated/facts.ts';
export type { OperationName } from './contract/operation-types.ts';
export type { Violation } from './base/violation.ts';
export type { ClockSetting } from './control/clock.ts';
export type { NewSandbox } from './control/create-sandbox.ts';
export { connectSandbox, type ConnectOptions } from './control/connect.ts';
export type { SandboxDescription } from './control/describe-sandbox.ts';
export type { SandboxHandle } from './control/sandbox-handle.ts';
export type { SandboxServer } from './control/server-handle.ts';
export type { FaultName } from './faults/index.ts';
export type { FaultRule, NewFaultRule } from './faults/rule.ts';
export type { LogFormat } from './server/log.ts';
export type { JournalEntry } from './sandbox/journal-entry.ts';
export type { JournalFilter } from './sandbox/journal-page.ts';
export { ConflictError, CapacityError, SandboxError, NotFoundError, ValidationError } from './base/errors.ts';
export type { CollectionName } from './sandbox/seed.ts';
export type { Settings } from './server/server.ts';

type Schemas = components['schemas'];

// Types of requests and responses that exist only in openapi/control.yaml.
export type Assumption = Schemas['Assumption'];
export type Exchange = Schemas['Exchange'];
export type Expectations = Schemas['Expectations'];
export type LimitSetting = Schemas['LimitSetting'];
export type Limits = Schemas['Limits'];
export type Report = Schemas['Report'];
export type Snapshot = Schemas['Snapshot'];
export type StateDocument = Schemas['StateDocument'];
export type Verdict = Schemas['Verdict'];

export interface StartOptions extends Settings {
  /** Receives warnings, such as about an invalid state file. Ignored by default. */
  warn?: (message: string) => void;
}

const optionRules: Rules<StartOptions> = { ...serverRules, warn: aFunction };

/**
 * Starts a sandbox server in this process. `port: 0` selects a free port. The settings are those of
 * `lp-sandbox start`. Rejects with SandboxError for wrong or unknown settings, and with Error if the port is
 * in use.
 */
export async function startSandbox(options: StartOptions = {}): Promise<SandboxServer> {
  const { warn = () => {}, ...settings } = settingsFromCode(optionRules, options, {
    name: 'startSandbox()',
    otherNames,
  });
  const running = await startServer(settings, {
    out: warn,
    err: warn,
    owner: 'a server inside another program',
  });
  const { url, sandboxes } = running;
  const surroundings = {
    parts: running,
    baseUrl: url,
    pathPolicy: 'names-and-files',
    lists: 'whole',
    holder: 'operator',
  } as const;
  const whenClosed = 'The server is closed.';
  const send: Send = async (method, target, body) => {
    try {
      return (await dispatch(surroundings, method, target, asJson(body))).content;
    } catch (error) {
      throw error instanceof StoppedError ? new SandboxError(whenClosed) : error;
    }
  };
  const schoolsOf =
    ({ id }: { readonly id: string }) =>
    () =>
      sandboxes
        .get(id)
        ?.schools()
        .map(({ slug }) => slug) ?? [];
  return serverHandle({ url, control: running.control }, send, schoolsOf, {
    close: () => running.stop(),
    whenClosed,
  });
}
