import { isObject } from '../base/is-object.ts';
import {
  ConflictError,
  CapacityError,
  SandboxError,
  NotFoundError,
  ValidationError,
} from '../base/errors.ts';
import { parseJson } from '../contract/envelope.ts';
import type { Violation } from '../base/violation.ts';
import { settingsFromCode, type Rules } from '../settings/gather.ts';
import { anyText, someText } from '../settings/value-rule.ts';
import type { Send } from './sandbox-handle.ts';
import { serverHandle, type SandboxServer, type SchoolsOf } from './server-handle.ts';

/** Address and token of a server's control plane. */
export interface ConnectOptions {
  readonly url: string;
  /**
   * Required if the server is not on a loopback address or was started with a token: that of the server, or that of one
   * sandbox.
   */
  readonly token?: string;
}

/**
 * Returns a handle for a server in another process or on another machine. Rejects with SandboxError if its
 * control plane does not respond.
 */
export async function connectSandbox(options: ConnectOptions): Promise<SandboxServer> {
  const { url, token } = settingsFromCode(connectRules, options, { name: 'connectSandbox()', otherNames });
  if (url === undefined)
    throw new SandboxError(`connectSandbox() needs the url of a server, such as http://127.0.0.1:4010.`);
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
      throw new SandboxError(
        `The control plane at ${base} is not reachable: ${reason(error)}. Is the server running?`,
      );
    });
    const content = parseJson(text);
    if (ok && (status === 204 || content !== undefined)) return content;
    throw problemFrom(status, content, base);
  };
  const ending = {
    close: async () => {},
    whenClosed: `This connection to ${base} is closed. Connect again with connectSandbox().`,
  };
  const control = { url: base, token: token ?? null };
  const own = token === undefined ? undefined : await permittedSandbox(send);
  return serverHandle({ url: base, control }, send, schoolsOf, ending, own);
}

/** Returns the id of the only sandbox that the token permits; undefined if it permits all. */
async function permittedSandbox(send: Send): Promise<string | undefined> {
  try {
    const access = await send('GET', '/control/access');
    return isObject(access) && typeof access['sandboxId'] === 'string' ? access['sandboxId'] : undefined;
  } catch (error) {
    // A server of an earlier version.
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const connectRules: Rules<Partial<ConnectOptions>> = {
  url: someText('the URL of a server'),
  // Only the server can check whether it is correct.
  token: { ...anyText('the control token as text'), isSecret: () => true },
};

const otherNames: Readonly<Record<string, string>> = {
  controltoken: 'Use "token".',
  baseurl: 'Use "url".',
  publicurl: 'Use "url".',
  controlurl: 'Use "url".',
  port: 'Include it in "url".',
  host: 'Include it in "url".',
};

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

function isViolation(value: unknown): value is Violation {
  return isObject(value) && typeof value['pointer'] === 'string' && typeof value['message'] === 'string';
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : String(error);
}

/** Returns the error that the same request throws inside the server's process. */
function problemFrom(status: number, content: unknown, base: string): SandboxError {
  const problem: { readonly detail?: unknown; readonly violations?: unknown } =
    typeof content === 'object' && content !== null ? content : {};
  const detail =
    typeof problem.detail === 'string'
      ? problem.detail
      : `${base} returned ${status}; it does not seem to be a sandbox's control plane.`;
  // A server in between can return any status.
  if (typeof problem.detail !== 'string') return new SandboxError(detail);
  if (status === 404) return new NotFoundError(detail);
  if (status === 409) return new ConflictError(detail);
  if (status === 503) return new CapacityError(detail);
  if (Array.isArray(problem.violations))
    return new ValidationError(detail, problem.violations.filter(isViolation), { isListed: true });
  return new SandboxError(detail);
}
