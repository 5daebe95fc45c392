import type { SlicedWork } from '../base/sliced-work.ts';
import type { components } from '../contract/generated/state.ts';
import type { Templates } from '../settings/refusal-templates.ts';
import { stopwatch, wallClock } from './clock.ts';
import { StorageError, type LargeEntry, type Ledger, type SmallEntry } from './ledger.ts';
import type { Quotas } from './quotas.ts';
import type { Sandbox } from './sandbox.ts';
import type { State } from './state.ts';

type StateFacts = components['schemas']['StateFacts'];

/**
 * Everything in a sandbox other than its records, its snapshots and its journal, as plain data. The schema is
 * in `openapi/state.yaml`.
 */
export type Facts = components['schemas']['Facts'];

/** Returns the base of a state: its records are stored as differences from it. */
export function stateFacts({ seed: { name, fingerprint }, beginning }: State): StateFacts {
  return { seed: { name, fingerprint }, beginning };
}

/** Returns the texts of the option `template`; nothing if there are none, as in most sandboxes. */
export function templateFacts(templates: Templates): Pick<Facts, 'templates'> {
  return Object.values(templates).every((text) => text === null) ? {} : { templates };
}

/** Returns the quotas of a sandbox; nothing if it has only those of the server. */
function quotaFacts(quotas: Quotas): Pick<Facts, 'quotas'> {
  return Object.keys(quotas).length === 0 ? {} : { quotas };
}

/** Returns the facts of a sandbox. */
export function factsOf(sandbox: Sandbox): Facts {
  const { origin, createdAt, usedAt, ttlSeconds, randomSeed, labels, numbers, clock } = sandbox;
  return {
    origin,
    createdAt,
    usedAt,
    ttlSeconds,
    randomSeed,
    labels,
    lastNumber: numbers.last,
    clock: clock.facts(),
    options: sandbox.options,
    ...templateFacts(sandbox.templates),
    limits: sandbox.limits.facts(),
    faults: sandbox.faults.facts(),
    ...(sandbox.tokenGeneration === null ? {} : { tokenGeneration: sandbox.tokenGeneration }),
    ...quotaFacts(sandbox.quotas.own),
  };
}

type Continued = Pick<Facts, 'lastNumber' | 'usedAt' | 'tokenGeneration'>;

/** Continues an earlier run of a sandbox. */
export function resume(sandbox: Sandbox, { lastNumber, usedAt, tokenGeneration }: Continued): void {
  sandbox.numbers.skipTo(lastNumber);
  sandbox.lastUsed = stopwatch() - Math.max(0, wallClock() - usedAt);
  sandbox.tokenGeneration = tokenGeneration ?? null;
}

/** The maximum number of request ids that a crash leaves out. */
const reservedIds = 1000;

/**
 * Reserves numbers for request ids, so that none is issued again after a crash. Returns the last of them; 0 if
 * that cannot be stored.
 */
export function reserve({ ledger, usedAt }: Sandbox, lastNumber: number): number {
  if (ledger === null) return Infinity;
  const reservedNumber = lastNumber + reservedIds;
  try {
    ledger.append({ counts: { lastNumber, usedAt, reservedNumber } });
    return reservedNumber;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return ledger.markGap() ? reservedNumber : 0;
  }
}

/** The part of its time to live after which a use is stored. */
const usePart = 0.1;

/** Stores that a sandbox with a time to live was used, which requests that change nothing do not. */
export function storeUse(sandbox: Sandbox): void {
  const { ledger, ttlSeconds, usedAt, storedUse, numbers } = sandbox;
  if (ledger === null || ttlSeconds === null || usedAt - storedUse < ttlSeconds * 1000 * usePart) return;
  sandbox.storedUse = usedAt;
  try {
    ledger.append({ counts: { lastNumber: numbers.last, usedAt } });
  } catch (error) {
    // It has changed nothing that a client was promised.
    if (!(error instanceof StorageError)) throw error;
  }
}

/**
 * Stores what a request has changed besides records. If that fails, restores the checkpoint from before the
 * request, and throws StorageError.
 */
export function storeFacts(sandbox: Sandbox, undo: () => void): void {
  try {
    sandbox.ledger?.append({ facts: factsOf(sandbox) });
  } catch (error) {
    undo();
    throw error;
  }
}

/**
 * Waits until what is stored is as safe as replies promise. Rejects with StorageError if that fails. `reason` is its
 * message.
 */
export async function whenSafe({ ledger }: Sandbox, reason = notSafeIn(ledger)): Promise<void> {
  await ledger?.whenRoomy();
  if (ledger === null || ledger.isSafe) return;
  const isSafe = await new Promise<boolean>((done) => {
    ledger.whenSafe(done);
  });
  if (!isSafe) throw new StorageError(reason);
}

/**
 * Stores a large change in slices. `change` makes the change when only its facts are missing; if they cannot be
 * stored, it is undone.
 */
export function* storeLarge(
  sandbox: Sandbox,
  large: LargeEntry,
  change: () => { readonly facts: Facts; readonly undo: () => void },
): SlicedWork<void> {
  let undo = nothing;
  let done = false;
  const rest = (): SmallEntry => {
    const changed = change();
    undo = changed.undo;
    return { facts: changed.facts };
  };
  try {
    if (sandbox.ledger === null) rest();
    else yield* sandbox.ledger.appendLarge(large, rest);
    done = true;
  } finally {
    if (!done) undo();
  }
}

function nothing(): void {}

/** Returns the message if the last step of storing failed, when the change could already be seen. */
export function notSafeIn(ledger: Ledger | null): string {
  const why =
    ledger?.holdsReads === true
      ? 'the database of this server has not confirmed it, so it may be lost'
      : 'it could not be written to the disk itself, so it may be lost if the machine stops now';
  return `The change was made, but ${why}. Read the state before you repeat it.`;
}

/** A request has changed nothing, but could show what is not stored, or what has changed since. */
export const notCertain =
  'The request has changed no records, but the database of this server does not confirm what the response would show. Try again.';

/**
 * Returns a function that restores the clock, assumptions, limits, rules, token and quotas of this moment. Requests to the control
 * plane of a sandbox come one after another, so that none restores what another one has changed.
 */
export function checkpoint(sandbox: Sandbox): () => void {
  const { options, checks, templates, tokenGeneration, quotas } = sandbox;
  const { own } = quotas;
  const clock = sandbox.clock.facts();
  const limits = sandbox.limits.facts();
  const undoFaults = sandbox.faults.checkpoint();
  return () => {
    sandbox.choose(options, checks, templates);
    sandbox.clock.set(clock);
    sandbox.limits.restore(limits);
    undoFaults();
    sandbox.tokenGeneration = tokenGeneration;
    quotas.own = own;
  };
}
