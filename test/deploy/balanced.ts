import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { startProgram, type Program } from '../support/command.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { startNginx } from '../support/nginx.ts';
import { unassignedPort } from '../support/ports.ts';

/** Each balancer, with the line that names the replica of a response in the header `Replica`. */
const balancers = {
  haproxy: (ports: readonly number[]) =>
    startHaproxy(ports, (text) =>
      text.replace('default-server', 'http-response set-header Replica "%s"\n  default-server'),
    ),
  nginx: (ports: readonly number[]) =>
    startNginx(ports, (text) =>
      text.replace('proxy_pass', 'add_header Replica $upstream_addr always;\n      proxy_pass'),
    ),
};

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
  /** The replica that the balancer sent the request to, by its place in the list. */
  readonly replica: number;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of the client. */
  readonly from?: string;
}

/** Replicas behind a balancer. */
export class Balanced {
  readonly port: number;
  readonly ports: readonly number[];
  readonly programs: Program[];
  readonly #data: string;
  readonly #agents = new Map<string, Agent>();

  private constructor(port: number, ports: readonly number[], programs: Program[], data: string) {
    this.port = port;
    this.ports = ports;
    this.programs = programs;
    this.#data = data;
  }

  static async start(balancer: keyof typeof balancers, data: string): Promise<Balanced> {
    const ports = [await unassignedPort(), await unassignedPort()];
    const programs = await Promise.all(ports.map((port) => startReplica(port, data)));
    const started = new Balanced(await balancers[balancer](ports), ports, programs, data);
    onTestFinished(async () => {
      for (const agent of started.#agents.values()) agent.destroy();
      for (const program of started.programs) await program.stop('SIGKILL');
    });
    return started;
  }

  /** Stops all replicas and starts them again, so that none has a sandbox in memory. */
  async restart(): Promise<void> {
    for (const program of this.programs) await program.stop('SIGKILL');
    const started = await Promise.all(this.ports.map((port) => startReplica(port, this.#data)));
    this.programs.splice(0, this.programs.length, ...started);
  }

  /** Sends a request through the balancer. Rejects if there is no whole response. */
  ask(path: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asked = {}): Promise<Reply> {
    const agent = this.#agents.get(from) ?? new Agent({ keepAlive: true });
    this.#agents.set(from, agent);
    return new Promise((done, fail) => {
      const sent = request({
        agent,
        host: '127.0.0.1',
        port: this.port,
        localAddress: from,
        method,
        path,
        headers: { Authorization: 'Bearer operator-token', 'Content-Type': 'application/json', ...headers },
      });
      sent.on('error', fail).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', fail).on('end', () => {
          const { replica = '', 'sandbox-request-id': requestId = '' } = response.headers;
          done({
            status: response.statusCode ?? 0,
            text,
            requestId: String(requestId),
            replica: this.#placeOf(String(replica)),
          });
        });
      });
      sent.end(body);
    });
  }

  /** Sends a call to an operation. */
  call(id: string, operation: string, parameters: object, others: Asked = {}): Promise<Reply> {
    return this.ask(`/public/${operation}`, {
      ...others,
      method: 'POST',
      headers: { 'SERVICE-API-KEY': `sbx_${id}_riverside`, ...others.headers },
      body: JSON.stringify({ data: [{ data: parameters }] }),
    });
  }

  async create(id: string, request: object = {}): Promise<void> {
    const { status, text } = await this.ask('/control/sandboxes', {
      method: 'POST',
      body: JSON.stringify({ id, ...request }),
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
  }

  /** The lines of the request logs: which replica has answered each call, and to whom. */
  logged(): ReadonlyMap<string, { readonly replica: number; readonly address: string }> {
    return new Map(
      this.programs.flatMap((program, replica) =>
        program
          .said()
          .out.split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => {
            // The format that `--log json` writes.
            const { requestId, address } = JSON.parse(line) as Readonly<
              Record<'requestId' | 'address', string>
            >;
            return [requestId, { replica, address }] as const;
          }),
      ),
    );
  }

  /** haproxy names the servers r0 and r1, nginx lists the addresses that it has tried. */
  #placeOf(replica: string): number {
    const port = Number(replica.split(':').at(-1));
    return replica.startsWith('r') ? Number(replica.slice(1)) : this.ports.indexOf(port);
  }
}

function startReplica(port: number, data: string): Promise<Program> {
  const words =
    '--log json --trust-proxy 1 --control-token operator-token --replica-secret secret-of-all-replicas';
  const own = ['--port', String(port), '--data', data, '--advertise', `http://127.0.0.1:${port}`];
  return startProgram([...own, ...words.split(' ')]);
}
