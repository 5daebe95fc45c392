import type { Chance, Edit, Phase } from '../faults/fault.ts';
import { readHeader } from '../faults/header.ts';
import { findMagicIdentifiers, magicPrefix } from '../faults/magic-identifier.ts';
import type { PreparedFault } from '../faults/prepare.ts';
import type { School } from '../sandbox/sandbox.ts';
import { processedElements } from './batch-processing.ts';
import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { ReadBody } from './envelope.ts';
import { Refusal } from './refusal.ts';
import { throttleFor } from './throttle.ts';
import { noInjection, type ElementFailure, type Injection } from './injection.ts';

/**
 * A fault that fires for a call: the rule that triggered it, and the elements that the trigger selects (null
 * for all).
 */
interface Firing {
  readonly fault: PreparedFault;
  readonly rule: string | null;
  readonly armedAfter?: number | undefined;
  readonly chosen: readonly number[] | null;
  readonly chance: Chance;
}

/** Returns whether any fault could be injected into a call. */
export function mayInject({ call, sandbox }: CallContext): boolean {
  return call.header('sandbox-fault') !== undefined || !sandbox.faults.isEmpty || hasMagicPrefix(call);
}

function hasMagicPrefix({ body }: Call): boolean {
  return body.includes(`"${magicPrefix}`);
}

/**
 * Returns the faults to inject into a call: those in its header; else those in its parameters; else that of
 * the first rule that fires. Refuses an unknown fault with the list of known faults.
 */
export function* injectFault(
  context: CallContext,
  school: School,
  batch: ReadBody,
): SlicedWork<Injection | Refusal> {
  const { call, sandbox } = context;
  const header = call.header('sandbox-fault');
  const { faultsPerCall } = sandbox.caps;
  const mayHaveMagic = hasMagicPrefix(call);
  const elements = 'elements' in batch ? batch.elements : [];
  const processed = processedElements(context, elements.length);
  const requested = header === undefined ? [] : readHeader(header, faultsPerCall);
  if ('wrong' in requested) return badFault(`The header Sandbox-Fault ${requested.wrong}`);
  const magic = mayHaveMagic ? yield* findMagicIdentifiers(elements, faultsPerCall) : [];
  if ('wrong' in magic) return badFault(magic.wrong);
  const chanceFor = (fault: PreparedFault): Chance => sandbox.faults.chanceFor(fault.name, call.operation);
  if (requested.length > 0) {
    return injection(
      context,
      processed,
      requested.map((fault) => ({ fault, rule: null, chosen: null, chance: chanceFor(fault) })),
    );
  }
  if (magic.length > 0) {
    return injection(
      context,
      processed,
      magic.map(({ fault, elements: chosen }) => ({ fault, rule: null, chosen, chance: chanceFor(fault) })),
    );
  }
  const key = call.header('service-api-key') ?? '';
  const firing = yield* sandbox.faults.meet({
    operation: call.operation,
    school: school.slug,
    key,
    elements,
    now: context.now,
  });
  return firing === null ? noInjection : injection(context, processed, [firing]);
}

function badFault(message: string): Refusal {
  return new Refusal('bad-fault', 400, message);
}

/** Combines the effects of several faults on one call. Changes of the reply keep the order of the faults. */
function injection(context: CallContext, elements: number, firings: readonly Firing[]): Injection {
  const pending: PendingInjection = {
    faults: firings.map(({ fault: { name, phase }, rule, armedAfter }) => ({
      fault: name,
      phase,
      rule,
      ...(armedAfter === undefined ? {} : { armedAfter }),
    })),
    waits: { before: 0, after: 0 },
    refusal: null,
    prevents: false,
    undoes: false,
    failures: new Map(),
    changes: [],
  };
  for (const one of firings) addFault(pending, one, context, elements);
  return pending;
}

/** An injection under construction. */
interface PendingInjection extends Injection {
  readonly waits: Record<Phase, number>;
  refusal: Refusal | null;
  prevents: boolean;
  undoes: boolean;
  readonly failures: Map<number, ElementFailure>;
  readonly changes: Injection['changes'][number][];
}

function addFault(
  pending: PendingInjection,
  { fault: { act, phase }, chosen, chance }: Firing,
  context: CallContext,
  elements: number,
): void {
  const before = phase === 'before';
  switch (act.kind) {
    case 'wait':
      pending.waits[phase] += act.milliseconds(chance);
      break;
    case 'refuse':
      pending.refusal = new Refusal('fault', act.status, act.message, { headers: act.headers });
      pending.prevents ||= before;
      break;
    case 'throttle':
      pending.refusal = throttleFor(context, act.retryAfterSeconds);
      pending.prevents ||= before;
      break;
    case 'replace':
      pending.changes.push({ of: 'reply', change: act.change });
      pending.prevents ||= before;
      break;
    case 'change':
      pending.changes.push({ of: 'reply', change: act.change });
      pending.undoes ||= before;
      break;
    case 'edit':
      changeOutputs(pending, act.edit(context.call.operation), act.hits(elements, chosen));
      pending.undoes ||= before;
      break;
    case 'fail': {
      const hit = act.hits(elements, chosen);
      for (const number of hit) pending.failures.set(number, { failure: act.failure, phase });
      if (act.edit !== undefined) changeOutputs(pending, act.edit, hit);
      break;
    }
  }
}

function changeOutputs({ changes }: PendingInjection, edit: Edit, hit: readonly number[]): void {
  const numbers = new Set(hit);
  changes.push({ of: 'outputs', edit: (members, room) => edit(members, numbers, room) });
}
