import { isObject } from '../../base/is-object.ts';
import { readDocument } from '../../contract/document.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { outputsIn, parametersIn } from '../../contract/envelope.ts';
import { operationOf, type DocumentedOperation } from '../../contract/openapi.ts';
import { isOperationName, type OperationName } from '../../contract/operation-types.ts';
import { strangeId } from '../calibrate/school.ts';
import { required, type PlannedCall, type SideData } from './planned-call.ts';
import { standInFor } from './stand-in-fields.ts';
import type { StandIns } from './stand-ins.ts';

/** The calls of the contract's examples, with the identifiers of each side. */
export function exampleCalls(): readonly PlannedCall[] {
  const { paths } = readDocument('learning-platform');
  const examples = Object.entries(paths).flatMap(([path, { post }]) => examplesOf(operationOf(path), post));
  const good = new Set(
    examples.flatMap(({ elements }) =>
      elements.flatMap(({ parameters, isOk }) => (isOk ? idsIn(parameters) : [])),
    ),
  );
  const calls = examples.map(({ operation, call, elements }) => ({
    operation,
    call,
    writes: operationFacts[operation].writes,
    request: ({ standIns }: SideData) => ({
      operation,
      elements: elements.map((element) => filled(element, operation, good, standIns)),
    }),
  }));
  // A service may accept what the examples show as a mistake, so updates are undone at the end.
  const undoing = calls.filter(({ operation, call }) => isUpdate(operation) && call === 'all-fields');
  return [...calls, ...undoing.map((one) => ({ ...one, call: 'restored' }))];
}

/** The records that an operation updates. */
const updated = {
  'update-digital-product-coupon': 'coupon',
  'update-interactive-coding-lab': 'lab',
} as const;

interface Element {
  readonly parameters: unknown;
  /** Whether it succeeds in the example. */
  readonly isOk: boolean;
}

interface Example {
  readonly operation: OperationName;
  readonly call: string;
  readonly elements: readonly Element[];
}

function examplesOf(operation: string, { requestBody, responses }: DocumentedOperation): readonly Example[] {
  if (!isOperationName(operation)) return [];
  const requests = Object.entries(requestBody.content['application/json']?.examples ?? {});
  return requests.map(([name, { value }]) => {
    const replies = Object.values(responses).flatMap(
      ({ content }) => content?.['application/json']?.examples?.[name]?.value ?? [],
    );
    const outputs = outputsIn(replies) ?? [];
    return {
      operation,
      call: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      elements: parametersIn(value).map((parameters, at) => ({
        parameters,
        isOk: outputs[at]?.status === 'ok',
      })),
    };
  });
}

function idsIn(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && Object.hasOwn(standInFor, name) ? [member] : idsIn(member),
  );
}

/** Returns the parameters of an element with the identifiers of a side. */
function filled(
  { parameters, isOk }: Element,
  operation: OperationName,
  good: ReadonlySet<string>,
  standIns: StandIns,
): unknown {
  const sent = replaced(parameters, '', { isOk, good, standIns });
  if (!isOk || !isObject(sent) || !isUpdate(operation)) return sent;
  // An update that succeeds sends the current values, so that nothing changes.
  const record = required(standIns, updated[operation]);
  return Object.fromEntries(Object.keys(sent).map((name) => [name, record[name]]));
}

function isUpdate(operation: OperationName): operation is keyof typeof updated {
  return Object.hasOwn(updated, operation);
}

interface Filling {
  readonly isOk: boolean;
  readonly good: ReadonlySet<string>;
  readonly standIns: StandIns;
}

function replaced(value: unknown, name: string, filling: Filling): unknown {
  const { isOk, good, standIns } = filling;
  if (Array.isArray(value)) {
    const members: readonly unknown[] = value;
    if (name !== 'newSelectedOptionIds') return members.map((member) => replaced(member, '', filling));
    const [option] = required(standIns, 'question').options;
    // The questions of the sides may be of different types. One option fits all of them.
    return members.slice(0, 1).map(() => option);
  }
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, member]: [string, unknown]) => [
        field,
        replaced(member, field, filling),
      ]),
    );
  // A page after the first may exist on one side only.
  if (name === 'pageNumber' && (isOk || value === 1)) return standIns.firstPage ?? value;
  if (typeof value !== 'string' || value === '' || !Object.hasOwn(standInFor, name)) return value;
  if (!isOk && name === 'liveEventSessionId' && !value.startsWith(unknownPrefix))
    return required(standIns, 'comingSessionId');
  const standIn = standInFor[name]?.(standIns) ?? value;
  return isOk || good.has(value) ? standIn : strangeId(standIn);
}

/** The identifiers of the examples that no record has begin so. */
const unknownPrefix = '66a1f0c2d4e5b6978810';
