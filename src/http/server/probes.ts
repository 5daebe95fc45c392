import type { ServerResponse } from 'node:http';
import type { Problem } from '../../base/problem.ts';
import { notPermitted } from '../../control/token-holder.ts';
import type { TokenContent } from '../../sandbox/sandbox-tokens.ts';
import { challenge, forbidden, holderOf, isProblem, type ControlAccess } from '../control-guard.ts';
import type { Handler } from '../public-app.ts';
import { sendProblem } from '../send-problem.ts';

/** Renders the metrics for Prometheus. */
export interface MetricsSource {
  render(): { readonly type: string; readonly body: string };
}

/** Returns the handler of `/metrics`. If sandboxes have tokens of their own, only the operator may read it. */
export function metricsHandler(metrics: MetricsSource, access: ControlAccess): Handler {
  return (request, response) => {
    const holder = access.tokens === null ? 'operator' : holderOf(request.headers.authorization, access);
    if (holder !== 'operator') return refuseMetrics(holder, response);
    const { type, body } = metrics.render();
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    response.end(body);
  };
}

function refuseMetrics(holder: TokenContent | Problem, response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-store');
  if (!isProblem(holder)) return sendProblem(response, forbidden(notPermitted(holder)));
  response.setHeader('WWW-Authenticate', challenge);
  sendProblem(response, holder);
}

/** Responds whether the server is ready: `status` is `ok`, or why the server is not ready. */
export function sendHealth(response: ServerResponse, status: string): void {
  response.writeHead(status === 'ok' ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify({ status }));
}
