import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './command.ts';
import { eventually } from './eventually.ts';
import { unassignedPort } from './ports.ts';

/** Starts haproxy as deploy/haproxy.cfg configures it, in front of these replicas. Returns its port. */
export async function startHaproxy(
  replicaPorts: readonly number[],
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<number> {
  const port = await unassignedPort();
  const file = join(temporaryFolder(), 'haproxy.cfg');
  const servers = replicaPorts.map((one, index) => `  server r${index} 127.0.0.1:${one}`).join('\n');
  const configuration = readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/(?:^ +server .*\n)+/m, `${servers}\n`);
  writeFileSync(file, change(configuration));
  const program = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void program.kill('SIGKILL'));
  await eventually(async () => {
    await fetch(`http://127.0.0.1:${port}/readyz`);
  });
  return port;
}
