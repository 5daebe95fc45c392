import { onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { unassignedPort } from '../support/ports.ts';

/** Starts a server that shares the sandboxes of a database; `program` is another version of it. */
export async function startReplica(
  data: string,
  more: readonly string[] = [],
  port?: number,
  program?: readonly [string, ...string[]],
): Promise<Program> {
  const own = port ?? (await unassignedPort());
  const address = `http://127.0.0.1:${own}`;
  const secret = 'secret-of-all-replicas';
  const shared = ['--data', data, '--advertise', address, '--replica-secret', secret];
  const args = ['--port', String(own), ...shared, ...more];
  const started = await startProgram(args, program === undefined ? {} : { program });
  onTestFinished(async () => void (await started.stop('SIGKILL')));
  return started;
}
