import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compare } from '../../src/commands/compare/command.ts';
import { startSandbox, type SandboxServer, type Settings } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { learner, quiz } from '../support/demo.ts';
import { invoke } from '../support/invocation.ts';

export const key = 'sbx_default_riverside';
export const quickly = ['--pace', '0', '--no-probes'];

/** Runs `lp-sandbox compare` to its end. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = { UPSTREAM_API_KEY: key }) {
  const { code, said } = invoke(compare, args, { env });
  const exit = await code;
  return { code: exit, ...said() };
}

/** Starts a sandbox in the place of the service. */
export async function service(settings: Settings = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, ...settings });
  onTestFinished(() => server.close());
  return server;
}

/** Starts a service of any kind. Returns its URL. */
export async function odd(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((up) => void server.listen(0, '127.0.0.1', up));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes a file of known identifiers. Returns its path. */
export function known(): string {
  const path = join(temporaryFolder(), 'known.yaml');
  const lines = { quizId: quiz.id, courseItemId: quiz.itemId, userId: learner.id, userEmail: learner.email };
  writeFileSync(path, JSON.stringify(lines));
  return path;
}
