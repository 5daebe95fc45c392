import { Conflict, Full, Misuse, NotThere, Unfit } from '../sandbox/misuse.ts';
import { parseJson } from '../contract/envelope.ts';
import type { Violation } from '../contract/violation.ts';
import type { Send } from './sandbox-handle.ts';
import { serverHandle, type SandboxServer, type SchoolsOf } from './server-handle.ts';

/** Where a server's control plane is, and what opens it. */
export interface ConnectOptions {
  readonly url: string;
  /** Needed where the server is not on a loopback address, or was started with one. */
  readonly token?: string;
}

/** A handle on a server in another process or on another machine. Rejects with Misuse where its control plane does not answer. */
export function connectSandbox({ url, token }: ConnectOptions): Promise<SandboxServer> {
  const base = url.replace(/\/+$/, '');
  const send: Send = async (method, target, body) => {
    const { status, ok, text } = await exchange(`${base}${target}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Misuse(`The control plane at ${base} cannot be reached: ${reason(error)}. Is the server running there?`);
    });
    const content = parseJson(text);
    if (ok && (status === 204 || content !== undefined)) return content;
    throw problemFrom(status, content, base);
  };
  return serverHandle({ url: base, control: { url: base, token: token ?? null } }, send, schoolsOf, async () => {});
}

const schoolsOf: SchoolsOf =
  ({ schools }) =>
  () =>
    schools.map(({ slug }) => slug);

async function exchange(
  url: string,
  request: RequestInit,
): Promise<{ readonly status: number; readonly ok: boolean; readonly text: string }> {
  const response = await fetch(url, request);
  return { status: response.status, ok: response.ok, text: await response.text() };
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : String(error);
}

/** The error that the same request throws inside the server's process. */
function problemFrom(status: number, content: unknown, base: string): Misuse {
  const problem: { readonly detail?: unknown; readonly violations?: unknown } =
    typeof content === 'object' && content !== null ? content : {};
  const detail =
    typeof problem.detail === 'string' ? problem.detail : `${base} answered ${status}; it seems to be no sandbox's control plane.`;
  // Anything in between may answer with any status.
  if (typeof problem.detail !== 'string') return new Misuse(detail);
  if (status === 404) return new NotThere(detail);
  if (status === 409) return new Conflict(detail);
  if (status === 503) return new Full(detail);
  // The control plane's own list, as openapi/control.yaml has it.
  if (Array.isArray(problem.violations)) return new Unfit(detail, problem.violations as readonly Violation[], 'told already');
  return new Misuse(detail);
}
