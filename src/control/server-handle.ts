import { assumptionNames } from '../assumptions.ts';
import type { NewSandbox } from './create-sandbox.ts';
import type { SandboxDescription } from './describe-sandbox.ts';
import { sandboxHandle, type SandboxHandle, type Send } from './sandbox-handle.ts';
import { deepest } from '../base/json-depth.ts';
import { hiddenFieldsOf, isObject, isPlainObject } from '../base/is-object.ts';
import { describe, pointerTo, type Violation } from '../base/violation.ts';
import { SandboxError, NotFoundError, ValidationError } from '../base/errors.ts';

/** A server, in this process or another. */
export interface SandboxServer extends AsyncDisposable {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  /** The sandbox of the keys `sbx_default_<school>`. */
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
): Promise<SandboxServer> {
  let closing: Promise<void> | null = null;
  const endOnce = (): Promise<void> => (closing ??= close());
  const mustBeOpen = (): void => {
    if (closing !== null) throw new SandboxError(whenClosed);
  };
  const send: Send = async (method, target, body) => {
    mustBeOpen();
    return passOn(method, target, body);
  };
  const handle = (description: unknown): SandboxHandle => {
    if (!isDescription(description))
      throw new SandboxError(`${url} responds, but does not seem to be a sandbox's control plane.`);
    const about = description;
    return sandboxHandle({ id: about.id, baseUrl: about.baseUrl, schools: schoolsOf(about) }, send);
  };
  const find = async (id: string): Promise<SandboxHandle> =>
    handle(await send('GET', `/control/sandboxes/${encodeURIComponent(id)}`));
  return {
    url,
    control,
    default: await find('default'),
    createSandbox: async (request = {}) => {
      mustBeOpen();
      return handle(await send('POST', '/control/sandboxes', sendable(request)));
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

/** Returns the request if JSON can represent it: JSON would turn NaN into null and drop functions. */
function sendable(request: unknown): unknown {
  if (!isPlainObject(request))
    throw new ValidationError('The body is invalid.', [
      { pointer: '', message: `must be a plain object, but is ${describe(request)}.` },
    ]);
  const violations = unsendable(request, '', []);
  if (violations.length > 0) throw new ValidationError('The body is invalid.', violations);
  return request;
}

function unsendable(value: object, base: string, outer: readonly object[]): readonly Violation[] {
  if (outer.includes(value) || outer.length > deepest)
    return [{ pointer: base, message: 'must be a JSON value, but contains itself, or is nested too deep.' }];
  const hidden = Array.isArray(value) ? [] : hiddenFieldsOf(value, knownFields[base] ?? []);
  return [
    ...hidden.map((name) => ({ pointer: pointerTo(base, name), message: ignored })),
    ...Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const pointer = pointerTo(base, name);
      if (typeof member === 'object' && member !== null)
        return unsendable(member, pointer, [...outer, value]);
      const isLost =
        typeof member === 'number'
          ? !Number.isFinite(member)
          : ['function', 'symbol', 'bigint'].includes(typeof member);
      return isLost ? [{ pointer, message: `must be a JSON value, but is ${describe(member)}.` }] : [];
    }),
  ];
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
};

/** The known fields of objects in a request, by JSON Pointer. Getters of a class are not enumerable. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(newSandboxFields),
  '/assumptions': assumptionNames,
  '/clock': ['mode', 'now'],
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
