import type { ServerResponse } from 'node:http';

/** Renders the metrics for Prometheus. */
export interface MetricsSource {
  render(): { readonly type: string; readonly body: string };
}

/** Responds with the metrics. */
export function sendMetrics(metrics: MetricsSource, response: ServerResponse): void {
  const { type, body } = metrics.render();
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

/** Responds whether the server is ready: `status` is `ok`, or why the server is not ready. */
export function sendHealth(response: ServerResponse, status: string): void {
  response.writeHead(status === 'ok' ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify({ status }));
}
