import { onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { unassignedPort } from '../support/ports.ts';

/** Starts a server that shares the sandboxes of a database. */
export async function startReplica(
  data: string,
  more: readonly string[] = [],
  port?: number,
): Promise<Program> {
  const own = port ?? (await unassignedPort());
  const program = await startProgram([
    '--port',
    String(own),
    '--data',
    data,
    '--advertise',
    `http://127.0.0.1:${own}`,
    '--replica-secret',
    'secret-of-all-replicas',
    ...more,
  ]);
  onTestFinished(async () => void (await program.stop('SIGKILL')));
  return program;
}
