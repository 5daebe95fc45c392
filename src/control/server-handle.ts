import type { NewSandbox } from './create-sandbox.ts';
import type { SandboxDescription } from './describe-sandbox.ts';
import { sandboxHandle, type SandboxHandle, type Send } from './sandbox-handle.ts';
import { isObject } from '../contract/is-object.ts';
import { Misuse, NotThere } from '../sandbox/misuse.ts';

/** A server, in this process or elsewhere. */
export interface SandboxServer extends AsyncDisposable {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  /** The sandbox that the keys `sbx_default_<school>` name. */
  readonly default: SandboxHandle;
  /** Where the control plane is, and what opens it; null where there is none, or none is needed. */
  readonly control: { readonly url: string | null; readonly token: string | null };
  /** A world of its own, which nothing else touches. Rejects with Misuse where it cannot be had. */
  createSandbox(request?: NewSandbox): Promise<SandboxHandle>;
  /** A sandbox by its id, such as one that a key has opened; null where there is none. */
  sandbox(id: string): Promise<SandboxHandle | null>;
  /** Stops a server of this process: finishes what is in flight, and writes the state. Lets go of one elsewhere. */
  close(): Promise<void>;
}

/** How the schools of a sandbox are known: as they are now, or as they were described. */
export type SchoolsOf = (description: SandboxDescription) => () => readonly string[];

export async function serverHandle(
  { url, control }: Pick<SandboxServer, 'url' | 'control'>,
  send: Send,
  schoolsOf: SchoolsOf,
  close: () => Promise<void>,
): Promise<SandboxServer> {
  const handle = (description: unknown): SandboxHandle => {
    if (!isDescription(description)) throw new Misuse(`${url} answers, but it seems to be no sandbox's control plane.`);
    const about = description;
    return sandboxHandle({ id: about.id, baseUrl: about.baseUrl, schools: schoolsOf(about) }, send);
  };
  const find = async (id: string): Promise<SandboxHandle> => handle(await send('GET', `/control/sandboxes/${encodeURIComponent(id)}`));
  return {
    url,
    control,
    default: await find('default'),
    createSandbox: async (request = {}) => handle(await send('POST', '/control/sandboxes', request)),
    sandbox: async (id) => {
      try {
        return await find(id);
      } catch (error) {
        if (error instanceof NotThere) return null;
        throw error;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Whether it is what the routes for sandboxes answer: whoever answers may be anything at all. */
function isDescription(value: unknown): value is SandboxDescription {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['baseUrl'] === 'string' && Array.isArray(value['schools']);
}
