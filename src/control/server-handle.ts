import { assumptionNames } from '../assumptions.ts';
import type { NewSandbox } from './create-sandbox.ts';
import type { SandboxDescription } from './describe-sandbox.ts';
import { sandboxHandle, type SandboxHandle, type Send } from './sandbox-handle.ts';
import { quotaNames } from '../sandbox/quotas.ts';
import { deepest } from '../base/json-depth.ts';
import { hiddenFieldsOf, isObject, isPlainObject } from '../base/is-object.ts';
import { describe, pointerTo, type Violation } from '../base/violation.ts';
import { SandboxError, NotFoundError, ValidationError } from '../base/errors.ts';

/** A server, in this process or another. */
export interface SandboxServer extends AsyncDisposable {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  /** The sandbox of the keys `sbx_default_<school>`; with the token of one sandbox, that one. */
  readonly default: SandboxHandle;
  /** URL and token of the control plane; null if there is none, or if no token is needed. */
  readonly control: { readonly url: string | null; readonly token: string | null };
  /** Creates an isolated sandbox. Rejects with SandboxError if that is not possible. */
  createSandbox(request?: NewSandbox): Promise<SandboxHandle>;
  /** Returns the sandbox with an id, or null. */
  sandbox(id: string): Promise<SandboxHandle | null>;
  /**
   * Stops a server of this process after it has finished its calls and written its state; for any other
   * server, ends the connection. All later requests of this handle and its sandboxes reject with
   * SandboxError, except `close`.
   */
  close(): Promise<void>;
}

/** Returns the slugs of a sandbox's schools, current or as described. */
export type SchoolsOf = (description: SandboxDescription) => () => readonly string[];

/** How a handle is closed, and the error message of its methods afterwards. */
interface Ending {
  readonly close: () => Promise<void>;
  readonly whenClosed: string;
}

export async function serverHandle(
  { url, control }: Pick<SandboxServer, 'url' | 'control'>,
  passOn: Send,
  schoolsOf: SchoolsOf,
  { close, whenClosed }: Ending,
  ownId = 'default',
): Promise<SandboxServer> {
  let closing: Promise<void> | null = null;
  const endOnce = (): Promise<void> => (closing ??= close());
  const mustBeOpen = (): void => {
    if (closing !== null) throw new SandboxError(whenClosed);
  };
  const send: Send = async (method, target, body) => {
    mustBeOpen();
    requireJson(body);
    return passOn(method, target, body);
  };
  const handle = (description: unknown): SandboxHandle => {
    if (!isDescription(description))
      throw new SandboxError(`${url} responds, but does not seem to be a sandbox's control plane.`);
    const about = description;
    return sandboxHandle(
      { id: about.id, baseUrl: about.baseUrl, schools: schoolsOf(about), token: about.token ?? null },
      send,
    );
  };
  const find = async (id: string): Promise<SandboxHandle> =>
    handle(await send('GET', `/control/sandboxes/${encodeURIComponent(id)}`));
  return {
    url,
    control,
    default: await find(ownId),
    createSandbox: async (request = {}) => {
      mustBeOpen();
      return handle(await passOn('POST', '/control/sandboxes', newSandbox(request)));
    },
    sandbox: async (id) => {
      try {
        return await find(id);
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
    close: endOnce,
    [Symbol.asyncDispose]: endOnce,
  };
}

/**
 * Returns the request of a sandbox as it is. Throws ValidationError if it is not an object, or has fields that would be
 * ignored.
 */
function newSandbox(request: unknown): unknown {
  if (!isPlainObject(request))
    throw invalid([{ pointer: '', message: `must be a plain object, but is ${describe(request)}.` }]);
  requireJson(request, (value, at) => hiddenFieldsOf(value, knownFields[at()] ?? []));
  return request;
}

/** Throws ValidationError for what JSON would change: it turns NaN into null, a Map into an empty object, and drops functions. */
function requireJson(body: unknown, hiddenIn: HiddenIn = () => []): void {
  const violations = [...notJson(body, () => '', [], hiddenIn)];
  if (violations.length > 0) throw invalid(violations);
}

function invalid(violations: readonly Violation[]): ValidationError {
  return new ValidationError('The body is invalid.', violations);
}

/** Returns the names of fields of an object that JSON would ignore. */
type HiddenIn = (value: object, at: () => string) => readonly string[];

/** `at` returns the JSON Pointer of the value: almost no value of a large state needs it. */
function* notJson(
  value: unknown,
  at: () => string,
  outer: readonly object[],
  hiddenIn: HiddenIn,
): Iterable<Violation> {
  if (typeof value !== 'object' || value === null) {
    if (isLost(value)) yield { pointer: at(), message: `must be a JSON value, but is ${describe(value)}.` };
    return;
  }
  if (outer.includes(value) || outer.length > deepest)
    return yield {
      pointer: at(),
      message: 'must be a JSON value, but contains itself, or is nested too deep.',
    };
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) {
    // As a Date has it, for JSON.
    if (!('toJSON' in value))
      yield { pointer: at(), message: `must be a JSON value, but is ${describe(value)}.` };
    return;
  }
  if (!isList)
    for (const name of hiddenIn(value, at)) yield { pointer: pointerTo(at(), name), message: ignored };
  const inner = [...outer, value];
  for (const [name, member] of Object.entries<unknown>(value))
    yield* notJson(member, () => pointerTo(at(), name), inner, hiddenIn);
}

function isLost(value: unknown): boolean {
  return typeof value === 'number'
    ? !Number.isFinite(value)
    : ['function', 'symbol', 'bigint'].includes(typeof value);
}

const ignored =
  'would be ignored: it is inherited, not enumerable, or named by a symbol. Write it into the object itself, as in { seed: base.seed }.';

/** The fields of a new sandbox. */
const newSandboxFields: Readonly<Record<keyof NewSandbox, true>> = {
  id: true,
  seed: true,
  randomSeed: true,
  profile: true,
  assumptions: true,
  refusalTemplate: true,
  gatewayTemplate: true,
  clock: true,
  scenario: true,
  ttlSeconds: true,
  quotas: true,
};

/** The known fields of objects in a request, by JSON Pointer. Getters of a class are not enumerable. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(newSandboxFields),
  '/assumptions': assumptionNames,
  '/clock': ['mode', 'now'],
  '/quotas': quotaNames,
};

/** Whether a response is the description of a sandbox; it may come from any server. */
function isDescription(value: unknown): value is SandboxDescription {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['baseUrl'] === 'string' &&
    Array.isArray(value['schools'])
  );
}
