import { spawn } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './command.ts';
import { eventually } from './eventually.ts';
import { unassignedPort } from './ports.ts';

/** The folders that nginx creates at the start, even if it does not use them. */
const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts nginx as deploy/nginx.conf configures it, in front of these replicas. Returns its port. */
export async function startNginx(
  replicaPorts: readonly number[],
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<number> {
  const port = await unassignedPort();
  const folder = temporaryFolder();
  const file = join(folder, 'nginx.conf');
  const servers = replicaPorts.map((one) => `    server 127.0.0.1:${one} max_fails=0;\n`);
  const paths = temporaryPaths.map((name) => `  ${name}_temp_path ${join(folder, name)};\n`);
  const configuration = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(/(?:^ +server \S+:4010 .*\n)+/m, servers.join(''))
    .replace('http {\n', `http {\n  access_log off;\n${paths.join('')}`);
  writeFileSync(file, change(configuration));
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const settings = `daemon off; master_process off; pid ${join(folder, 'nginx.pid')};`;
  const program = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr', '-g', settings], {
    ...identity,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  await eventually(async () => {
    await fetch(`http://127.0.0.1:${port}/readyz`);
  });
  return port;
}
