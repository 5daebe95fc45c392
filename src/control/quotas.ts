import type { components } from '../contract/generated/control.ts';
import { recordOf } from '../base/keys.ts';
import { quotaNames, type Quotas } from '../sandbox/quotas.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

type Shown = components['schemas']['Quotas'];

/** Returns the quotas of a sandbox, and how much of them it uses. */
export function readQuotas({ quotas, state, stateRoom, journal }: Sandbox): Shown {
  const { caps, own, calls } = quotas;
  const used = {
    stateRecords: state.changedRecords,
    stateBytes: stateRoom.usedBytes,
    journalEntries: journal.count,
    journalBytes: journal.bytes,
    callsPerSecond: calls.count,
  };
  return recordOf(quotaNames, (name) => ({ max: caps[name], own: own[name] ?? null, used: used[name] }));
}

/** Sets the quotas; missing ones are those of the server. Shortens a journal that is too long, and deletes nothing else. */
export function setQuotas({ quotas, journal }: Sandbox, wanted: Quotas): void {
  quotas.own = wanted;
  journal.shrink();
}
