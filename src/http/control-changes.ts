import type { IncomingMessage } from 'node:http';
import { oneLine } from '../base/escape.ts';
import { splitTarget } from '../base/request-target.ts';
import { traceIdOf } from '../base/trace-context.ts';
import type { ControlAnswer } from '../control/dispatch.ts';
import type { TokenHolder } from '../control/token-holder.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { isPlainName, withoutKeys } from '../sandbox/keys.ts';
import { maskPath } from '../sandbox/secrets.ts';
import { withoutTokens } from '../sandbox/sandbox-tokens.ts';
import type { Handler } from './public-app.ts';
import type { DirectRequest } from './server/direct-request.ts';
import type { DirectResponse } from './server/direct-response.ts';
import { whenGone } from './server/when-gone.ts';

/** A request to change something through the control plane, whether it succeeded or was refused. */
export interface ControlChange {
  /** Real time, from `stopwatch`. */
  readonly receivedMs: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly method: string;
  /** Without its query and without secrets. */
  readonly path: string;
  /** The sandbox that was changed or created; null if there is none. */
  readonly sandbox: string | null;
  readonly who: Sender['who'];
  /** The sandbox of the token; null if the request had no token of a sandbox. */
  readonly tokenSandbox: string | null;
  readonly address: string;
  /** 0 if the client disconnected before the response. */
  readonly status: number;
  readonly traceId: string | null;
}

/** `open` if the server requires no token; `unknown` if the request was not admitted. */
interface Sender {
  who: 'operator' | 'sandbox' | 'open' | 'unknown';
  tokenSandbox: string | null;
  sandbox: string | null;
}

/** Longer paths are cut, in characters. */
const maxPath = 200;

/** Requests with these methods change something, unless they are among `reading`. */
const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Clients ask this again and again while they wait for calls. */
const reading = /\/journal\/verify$/;

/** The path of the request that creates a sandbox, and of all requests about one. */
const ofSandboxes = /^\/control\/sandboxes(?:\/([^/]+)|$)/;

/** Reports the requests to the control plane that change something. */
export class ControlChanges {
  readonly #report: ((change: ControlChange) => void) | null;
  readonly #senders = new WeakMap<IncomingMessage, Sender>();

  /** Without `report`, requests have no overhead for it. */
  constructor(report: ((change: ControlChange) => void) | null) {
    this.#report = report;
  }

  /** Returns a handler in front of that of the control plane. */
  before(handle: Handler): Handler {
    const report = this.#report;
    if (report === null) return handle;
    return (request, response) => {
      const { path } = splitTarget(request.url ?? '/');
      if (changing.has(request.method ?? '') && !reading.test(path))
        this.#follow(request, response, path, report);
      handle(request, response);
    };
  }

  #follow(
    request: DirectRequest,
    response: DirectResponse,
    path: string,
    report: (change: ControlChange) => void,
  ): void {
    const receivedMs = stopwatch();
    const { method = '', socket, forwardedFor } = request;
    const address = forwardedFor?.address ?? socket.remoteAddress ?? '';
    const traceId = traceIdOf(request.header('traceparent'));
    const named = ofSandboxes.exec(path)?.[1];
    const sandbox = named !== undefined && isPlainName(named) ? named : null;
    const sender: Sender = { who: 'unknown', tokenSandbox: null, sandbox };
    this.#senders.set(request, sender);
    whenGone(response, () =>
      report({
        receivedMs,
        durationMs: Math.round((stopwatch() - receivedMs) * 1000) / 1000,
        requestId: String(response.getHeader('Sandbox-Request-Id')),
        method,
        path: oneLine(withoutTokens(withoutKeys(maskPath(path))), maxPath),
        ...sender,
        address,
        status: response.headersSent ? response.statusCode : 0,
        traceId,
      }),
    );
  }

  /** Notes who sends an admitted request. */
  by(request: IncomingMessage, holder: TokenHolder, isOpen: boolean): void {
    const sender = this.#senders.get(request);
    if (sender === undefined) return;
    if (holder === 'operator') sender.who = isOpen ? 'open' : 'operator';
    else Object.assign(sender, { who: 'sandbox', tokenSandbox: holder.sandboxId });
  }

  /** Notes the sandbox that a request has created. */
  answered(request: IncomingMessage, answer: ControlAnswer): void {
    const sender = this.#senders.get(request);
    if (sender === undefined || answer.sends !== 'json' || answer.status !== 201) return;
    const { content } = answer;
    if (sender.sandbox === null && typeof content === 'object' && content !== null && 'id' in content)
      sender.sandbox = String(content.id);
  }
}
