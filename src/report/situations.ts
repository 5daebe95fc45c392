import type { components } from '../contract/generated/control.ts';
import { requestExamples } from '../contract/generated/request-examples.js';
import { operationNames, type OperationName } from '../contract/operation-types.ts';
import { faultNames, type FaultName } from '../faults/index.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { isKeyRefused, met, type Attempt } from './attempt.ts';

type Schemas = components['schemas'];

/** A situation that a client should meet, with a command that creates it. */
type Situation = Schemas['MissingSituation'] & { readonly isMet: (attempt: Attempt) => boolean };

/** Parameters that prevent a fault from blocking a client for minutes. */
const briefly: Partial<Readonly<Record<FaultName, object>>> = { timeout: { with: { seconds: 10 } } };

/**
 * All situations: a success and a failed element for each operation, a refused key, and every fault at any
 * operation.
 */
const all: readonly Situation[] = [
  ...operationNames.map(answerOf),
  ...operationNames.map(elementErrorOf),
  refusedKey(),
  ...faultNames.map(faultOf),
];

/** Returns which situations the client met, and commands for the others. */
export function* findSituations(attempts: readonly Attempt[]): SlicedWork<Schemas['Situations']> {
  const missing: Situation[] = [];
  for (const situation of all) if (!(yield* isMetIn(attempts, situation))) missing.push(situation);
  const share = (isOwn: (situation: Situation) => boolean = () => true): Schemas['SituationShare'] => {
    const of = all.filter(isOwn).length;
    const met = of - missing.filter(isOwn).length;
    return { met, of, percent: Math.floor((met / of) * 100) };
  };
  return {
    ...share(),
    groups: { operations: share(isOfOperation), failures: share((one) => !isOfOperation(one)) },
    missing: missing.map(({ kind, name, message, command }) => ({ kind, name, message, command })),
  };
}

function* isMetIn(attempts: readonly Attempt[], { isMet }: Situation): SlicedWork<boolean> {
  for (const attempt of attempts) {
    if (isMet(attempt)) return true;
    yield;
  }
  return false;
}

/** The other situations are refusals and faults. */
export function isOfOperation({ kind }: Schemas['MissingSituation']): boolean {
  return kind === 'answer' || kind === 'element-error';
}

function answerOf(operation: OperationName): Situation {
  return {
    kind: 'answer',
    name: operation,
    message: `The client has no successful call of ${operation}.`,
    command: callCommand(operation, '$SANDBOX_API_KEY'),
    isMet: ({ ending, entry }) => ending === 'ok' && entry.operation === operation,
  };
}

function elementErrorOf(operation: OperationName): Situation {
  return {
    kind: 'element-error',
    name: operation,
    message: `The client has not met a failed element of ${operation}.`,
    command: ruleCommand({ operation, fault: 'output-error', when: { first: 1 } }),
    isMet: ({ ending, entry, outputs }) =>
      ending === 'element-error' && entry.operation === operation && (outputs?.includes('error') ?? false),
  };
}

function refusedKey(): Situation {
  return {
    kind: 'refusal',
    name: 'invalid-key',
    message: 'The client has not met a refused key.',
    command: callCommand('get-all-instructors', 'sbx_${SANDBOX_ID}_nobody'),
    isMet: isKeyRefused,
  };
}

function faultOf(fault: FaultName): Situation {
  return {
    kind: 'fault',
    name: fault,
    message: `The client has not met the fault ${fault}.`,
    command: ruleCommand({ operation: '*', fault, ...briefly[fault], when: { first: 1 } }),
    isMet: (attempt) =>
      met(attempt, fault) || (fault === 'throttled' && attempt.entry.outcome === 'throttled'),
  };
}

function callCommand(operation: OperationName, key: string): string {
  const body = JSON.stringify(requestExamples[operation]).replaceAll("'", "'\\''");
  return `curl "$SANDBOX_URL/public/${operation}" -H "SERVICE-API-KEY: ${key}" -H 'Content-Type: application/json' -d '${body}'`;
}

function ruleCommand(rule: object): string {
  return `curl "$SANDBOX_CONTROL_URL/sandboxes/$SANDBOX_ID/faults" -H 'Content-Type: application/json' -d '${JSON.stringify(rule)}'`;
}
