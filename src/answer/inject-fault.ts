import type { Chance, Edit, Phase } from '../faults/fault.ts';
import { readHeader } from '../faults/header.ts';
import { findMagicIdentifiers, magicPrefix } from '../faults/magic-identifier.ts';
import type { PreparedFault } from '../faults/prepare.ts';
import type { School } from '../sandbox/sandbox.ts';
import { processedElements } from './batch-processing.ts';
import type { Exchange } from './exchange.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { ReadBody } from './read-batch.ts';
import { Refusal } from './refusal.ts';
import { throttleFor } from './throttle.ts';
import { noInjection, type ElementFailure, type Injection } from './injection.ts';

/** A fault on its way to a call: what triggered it, and the elements that the trigger is about (null for all). */
interface Struck {
  readonly fault: PreparedFault;
  readonly rule: string | null;
  readonly chosen: readonly number[] | null;
  readonly chance: Chance;
}

/**
 * The faults that hit a call: those that its header asks for; else those that its parameters ask for; else that of the first rule
 * that fires. A fault that nobody knows is refused with the list of those there are.
 */
export function* injectFault(exchange: Exchange, school: School, batch: ReadBody): SlicedWork<Injection | Refusal> {
  const { call, sandbox } = exchange;
  const header = call.header('sandbox-fault');
  const { faultsPerCall } = sandbox.caps;
  const mayBePlanted = call.body.includes(`"${magicPrefix}`);
  if (header === undefined && !mayBePlanted && sandbox.faults.isEmpty) return noInjection;
  const elements = 'elements' in batch ? batch.elements : [];
  const processed = processedElements(exchange, elements.length);
  const asked = header === undefined ? [] : readHeader(header, faultsPerCall);
  if ('wrong' in asked) return badFault(`The header Sandbox-Fault ${asked.wrong}`);
  const planted = mayBePlanted ? yield* findMagicIdentifiers(elements, faultsPerCall) : [];
  if ('wrong' in planted) return badFault(planted.wrong);
  const chanceFor = (fault: PreparedFault): Chance => sandbox.faults.chanceFor(fault.name, call.operation);
  if (asked.length > 0) {
    return injection(
      exchange,
      processed,
      asked.map((fault) => ({ fault, rule: null, chosen: null, chance: chanceFor(fault) })),
    );
  }
  if (planted.length > 0) {
    return injection(
      exchange,
      processed,
      planted.map(({ fault, elements: chosen }) => ({ fault, rule: null, chosen, chance: chanceFor(fault) })),
    );
  }
  const key = call.header('service-api-key') ?? '';
  const firing = yield* sandbox.faults.meet({ operation: call.operation, school: school.slug, key, elements, now: exchange.now });
  return firing === null ? noInjection : injection(exchange, processed, [firing]);
}

function badFault(message: string): Refusal {
  return new Refusal('bad-fault', 400, message);
}

/** Puts together what several faults do to one call: what changes its reply, in the order in which they were asked for. */
function injection(exchange: Exchange, elements: number, struck: readonly Struck[]): Injection {
  const tally: Tally = {
    faults: struck.map(({ fault: { name, phase }, rule }) => ({ fault: name, phase, rule })),
    waits: { before: 0, after: 0 },
    refusal: null,
    prevents: false,
    undoes: false,
    failures: new Map(),
    changes: [],
  };
  for (const one of struck) strike(tally, one, exchange, elements);
  return tally;
}

/** An injection on its way. */
interface Tally extends Injection {
  readonly waits: Record<Phase, number>;
  refusal: Refusal | null;
  prevents: boolean;
  undoes: boolean;
  readonly failures: Map<number, ElementFailure>;
  readonly changes: Injection['changes'][number][];
}

function strike(tally: Tally, { fault: { act, phase }, chosen, chance }: Struck, exchange: Exchange, elements: number): void {
  const before = phase === 'before';
  switch (act.kind) {
    case 'wait':
      tally.waits[phase] += act.milliseconds(chance);
      break;
    case 'refuse':
      tally.refusal = new Refusal('fault', act.status, act.message, { headers: act.headers });
      tally.prevents ||= before;
      break;
    case 'throttle':
      tally.refusal = throttleFor(exchange, act.retryAfterSeconds);
      tally.prevents ||= before;
      break;
    case 'replace':
      tally.changes.push({ of: 'reply', change: act.change });
      tally.prevents ||= before;
      break;
    case 'change':
      tally.changes.push({ of: 'reply', change: act.change });
      tally.undoes ||= before;
      break;
    case 'edit':
      changeOutputs(tally, act.edit(exchange.call.operation), act.hits(elements, chosen));
      tally.undoes ||= before;
      break;
    case 'fail': {
      const hit = act.hits(elements, chosen);
      for (const number of hit) tally.failures.set(number, { failure: act.failure, phase });
      if (act.edit !== undefined) changeOutputs(tally, act.edit, hit);
      break;
    }
  }
}

function changeOutputs({ changes }: Tally, edit: Edit, hit: readonly number[]): void {
  const numbers = new Set(hit);
  changes.push({ of: 'outputs', edit: (members, room) => edit(members, numbers, room) });
}
