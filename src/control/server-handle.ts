import type { NewSandbox } from './create-sandbox.ts';
import type { SandboxDescription } from './describe-sandbox.ts';
import { sandboxHandle, type SandboxHandle, type Send } from './sandbox-handle.ts';
import { isObject } from '../base/is-object.ts';
import { describe, pointerTo, type Violation } from '../base/violation.ts';
import { SandboxError, NotFoundError, ValidationError } from '../base/errors.ts';

/** A server, in this process or elsewhere. */
export interface SandboxServer extends AsyncDisposable {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  /** The sandbox that the keys `sbx_default_<school>` name. */
  readonly default: SandboxHandle;
  /** Where the control plane is, and what opens it; null where there is none, or none is needed. */
  readonly control: { readonly url: string | null; readonly token: string | null };
  /** A world of its own, which nothing else touches. Rejects with SandboxError where it cannot be had. */
  createSandbox(request?: NewSandbox): Promise<SandboxHandle>;
  /** A sandbox by its id, such as one that a key has opened; null where there is none. */
  sandbox(id: string): Promise<SandboxHandle | null>;
  /**
   * Stops a server of this process: finishes what is in flight, and writes the state. Lets go of one elsewhere. From then on every
   * request of this handle, and of the handles of its sandboxes, rejects with SandboxError; only closing again does not.
   */
  close(): Promise<void>;
}

/** How the schools of a sandbox are known: as they are now, or as they were described. */
export type SchoolsOf = (description: SandboxDescription) => () => readonly string[];

/** How a handle comes to its end, and what its methods reject with from then on. */
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
    if (!isDescription(description)) throw new SandboxError(`${url} answers, but it seems to be no sandbox's control plane.`);
    const about = description;
    return sandboxHandle({ id: about.id, baseUrl: about.baseUrl, schools: schoolsOf(about) }, send);
  };
  const find = async (id: string): Promise<SandboxHandle> => handle(await send('GET', `/control/sandboxes/${encodeURIComponent(id)}`));
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

/** The request, if JSON can hold it: it makes null of NaN, and nothing of a function. */
function sendable(request: unknown): unknown {
  if (!isObject(request))
    throw new ValidationError('The body does not fit.', [{ pointer: '', message: `must be an object, but is ${describe(request)}.` }]);
  const violations = unsendable(request, '');
  if (violations.length > 0) throw new ValidationError('The body does not fit.', violations);
  return request;
}

function unsendable(value: object, base: string): readonly Violation[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const pointer = pointerTo(base, name);
    if (isObject(member)) return unsendable(member, pointer);
    const isLost = typeof member === 'number' ? !Number.isFinite(member) : ['function', 'symbol', 'bigint'].includes(typeof member);
    return isLost ? [{ pointer, message: `must be something that JSON can hold, but is ${describe(member)}.` }] : [];
  });
}

/** Whether it is what the routes for sandboxes answer: whoever answers may be anything at all. */
function isDescription(value: unknown): value is SandboxDescription {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['baseUrl'] === 'string' && Array.isArray(value['schools']);
}
