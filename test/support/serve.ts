import { onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer, type StartOptions } from '../../src/index.ts';

/** A server of the test's own, closed after it where it is not before. */
export async function serve(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, ...options });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}
