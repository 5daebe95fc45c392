import { isTooDeep } from '../../base/json-depth.ts';
import { isObject } from '../../base/is-object.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { outputsIn, parametersIn, parseJson } from '../../contract/envelope.ts';
import type { Request } from '../calibrate/upstream.ts';
import { operationIn, type RecordedCall } from '../recording/recording.ts';
import type { PlannedCall, SideData } from './planned-call.ts';
import { standInFor } from './stand-in-fields.ts';

/** The headers of a recorded call that are sent again. All others are of that client, or secret. */
const sentAgain = ['accept', 'accept-language', 'origin', 'access-control-request-method'];

/** The calls of a recording. Equal calls are sent once. */
export function recordedCalls(recording: readonly RecordedCall[]): readonly PlannedCall[] {
  const seen = new Set<string>();
  return recording.flatMap((recorded): readonly PlannedCall[] => {
    const operation = operationIn(recorded);
    if (operation === null || recorded.cut.request) return [];
    const request = requestOf(recorded, operation);
    const same = JSON.stringify(request);
    if (seen.has(same)) return [];
    seen.add(same);
    const { writes } = operationFacts[operation];
    return [
      {
        operation,
        call: `recorded-${recorded.status}-${outcomeOf(recorded)}`,
        writes: writes && recorded.method === 'POST',
        request: (side) => forSide(request, recorded, side),
      },
    ];
  });
}

function requestOf(recorded: RecordedCall, operation: Request['operation']): Request {
  const { method, requestHeaders: headers, request: body } = recorded;
  const key = keyOf(recorded);
  const sent = sentAgain.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const more = { operation, key, headers: Object.fromEntries(sent) };
  if (method !== 'POST') return { ...more, method };
  return { ...more, body, contentType: headers.get('content-type') ?? 'application/json' };
}

/** A recorded key is shortened, or of another service: it only shows whether it was valid. */
function keyOf({ requestHeaders, status, sandbox }: RecordedCall): NonNullable<Request['key']> {
  if (!requestHeaders.has('service-api-key')) return sandbox === null ? 'own' : 'none';
  const isWrong = sandbox === null ? status === 401 : sandbox.school === null;
  return isWrong ? 'wrong' : 'own';
}

/** The recorded outcome, for the name of the call. */
function outcomeOf({ response }: RecordedCall): string {
  const outputs = outputsIn(parseJson(response));
  if (outputs === null) return 'refusal';
  if (outputs.length === 0) return 'empty';
  const statuses = new Set(outputs.map(({ status }) => status));
  return statuses.size > 1 ? 'mixed' : (outputs[0]?.status ?? 'empty');
}

/**
 * Returns a call as a side gets it: an identifier of a successful element that the side does not have is
 * replaced by one of its own.
 */
function forSide(request: Request, { response }: RecordedCall, side: SideData): Request {
  const { body: text = '' } = request;
  // What follows is recursive, and no call that a service accepts is as deep.
  if (isTooDeep(text)) return request;
  const body = parseJson(text);
  const outputs = outputsIn(parseJson(response)) ?? [];
  const parameters = parametersIn(body);
  if (!isObject(body) || outputs.length !== parameters.length) return request;
  const elements = parameters.map((one, at) => (outputs[at]?.status === 'ok' ? own(one, '', side) : one));
  const isSame = JSON.stringify(elements) === JSON.stringify(parameters);
  return isSame
    ? request
    : { ...request, body: JSON.stringify({ data: elements.map((data) => ({ data })) }) };
}

function own(value: unknown, name: string, side: SideData): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => own(member, '', side));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, member]: [string, unknown]) => [field, own(member, field, side)]),
    );
  const standIn = Object.hasOwn(standInFor, name) ? standInFor[name] : undefined;
  return typeof value === 'string' && value !== '' && standIn !== undefined && !side.has(value)
    ? standIn(side.standIns)
    : value;
}
