import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { unassignedPort } from './ports.ts';

/** Starts haproxy in front of replicas, as docs/hosting.md configures it. Returns its port. */
export async function startHaproxy(replicaPorts: readonly number[]): Promise<number> {
  const port = await unassignedPort();
  const folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 1s
  retries 5
  option redispatch 1
  retry-on conn-failure
frontend sandbox
  bind 127.0.0.1:${port}
  http-request set-var(txn.sandbox) req.hdr(SERVICE-API-KEY),field(2,_)
  http-request set-var(txn.sandbox) path,field(4,/) if { path_beg /control/sandboxes/ }
  http-request set-var(txn.sandbox) path,field(3,/) if { path_beg /media/ }
  default_backend replicas
backend replicas
  balance hash var(txn.sandbox)
  hash-type consistent
  option httpchk GET /readyz
  default-server check inter 200ms fall 2 rise 1
${replicaPorts.map((one, index) => `  server r${index} 127.0.0.1:${one}`).join('\n')}
`,
  );
  const program = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually(async () => {
    await fetch(`http://127.0.0.1:${port}/readyz`);
  });
  return port;
}
