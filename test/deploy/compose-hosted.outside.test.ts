import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { flags } from '../../src/commands/flags.ts';
import { variableOf } from '../../src/commands/settings.ts';
import { run, startProgram, type Program } from '../support/command.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly stop_grace_period?: string;
}

type ServiceName = 'database' | 'replica-1' | 'replica-2' | 'balancer';

// The tests fail if the file has another form.
const compose = parse(readFileSync('deploy/compose.hosted.yaml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const { services } = compose;
const replicas = ['replica-1', 'replica-2'] as const;

/** The fields of the Compose specification that the file uses. Compose refuses unknown ones. */
const known = {
  file: /^(name|services|volumes|x-.*)$/,
  service:
    /^(image|build|environment|ports|volumes|depends_on|healthcheck|restart|read_only|stop_grace_period)$/,
  healthcheck: /^(test|interval|timeout|retries|start_period)$/,
};

const given: Readonly<Record<string, string>> = {
  DATABASE_PASSWORD: 'password7',
  REPLICA_SECRET: 'secret-of-all-replicas',
  CONTROL_TOKEN: 'operator-token',
  TOKEN_SECRET: 'a-secret-of-at-least-32-characters',
};

function fill(text: string): string {
  return text.replaceAll(/\$\{(\w+):\?\}/g, (whole, variable: string) => given[variable] ?? whole);
}

/** The environment of a service with these variables. */
function environmentOf(name: ServiceName): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(services[name].environment ?? {}).map(([variable, text]) => [variable, fill(text)]),
  );
}

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

describe('compose.hosted.yaml', () => {
  it('has only fields of the Compose specification', () => {
    expect(Object.keys(compose).filter((name) => !known.file.test(name))).toEqual([]);
    for (const service of Object.values(services)) {
      expect(Object.keys(service).filter((name) => !known.service.test(name))).toEqual([]);
      expect(Object.keys(service.healthcheck ?? {}).filter((name) => !known.healthcheck.test(name))).toEqual(
        [],
      );
    }
  });

  it('waits for services that exist, until they are healthy', () => {
    for (const service of Object.values(services))
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(Object.keys(services)).toContain(name);
        expect(condition).toBe('service_healthy');
        expect(services[name as ServiceName].healthcheck).toBeDefined();
      }
    expect(Object.keys(services.balancer.depends_on ?? {})).toEqual(replicas);
  });

  it('mounts a file that exists, and a volume that it declares', () => {
    const [configuration = ''] = services.balancer.volumes ?? [];
    expect(existsSync(`deploy/${configuration.split(':')[0]}`)).toBe(true);
    expect(Object.keys(compose.volumes)).toEqual([services.database.volumes?.[0]?.split(':')[0]]);
    expect(services.balancer.ports).toEqual(['8080:8080']);
    expect(readFileSync('deploy/haproxy.cfg', 'utf8')).toContain('bind :8080\n');
  });

  it('balances all of its replicas, at the addresses where they reach each other', () => {
    const balanced = [...readFileSync('deploy/haproxy.cfg', 'utf8').matchAll(/^ +server \w+ (\S+)/gm)];
    const advertised = replicas.map((name) => environmentOf(name)['SANDBOX_ADVERTISE']);
    expect(advertised).toEqual(balanced.map(([, address]) => `http://${address}`));
    expect(advertised).toEqual(replicas.map((name) => `http://${name}:4010`));
    expect(readFileSync('Dockerfile', 'utf8')).toContain('SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=4010');
  });

  it.each(replicas)(
    'passes variables of flags to %s, and leaves it the time to give its sandboxes away',
    (name) => {
      const variables = Object.keys(environmentOf(name));
      expect(flags.map(variableOf)).toEqual(expect.arrayContaining(variables));
      expect(Number.parseInt(services[name].stop_grace_period ?? '', 10)).toBeGreaterThan(6.5);
    },
  );

  it('has settings with which two replicas on a database serve the same sandbox', async () => {
    const data = await postgres.database();
    const ports = [await unassignedPort(), await unassignedPort()] as const;
    const start = async (index: 0 | 1): Promise<Program> => {
      const environment = environmentOf(replicas[index]);
      expect(environment['SANDBOX_DATA']).toBe('postgres://sandbox:password7@database/sandboxes');
      const program = await startProgram([], {
        env: {
          ...environment,
          SANDBOX_PORT: String(ports[index]),
          SANDBOX_ADVERTISE: `http://127.0.0.1:${ports[index]}`,
          SANDBOX_DATA: data,
        },
      });
      onTestFinished(async () => void (await program.stop('SIGKILL')));
      return program;
    };
    const [first, second] = [await start(0), await start(1)];
    const { body } = await supertest(first.url)
      .post('/control/sandboxes')
      .set('Authorization', 'Bearer operator-token')
      .send({})
      .expect(201);
    // The contract of the control plane, which other tests hold it to.
    const { id, token } = body as { readonly id: string; readonly token: string };
    for (const { url } of [first, second]) {
      await supertest(url)
        .get(`/control/sandboxes/${id}`)
        .set('Authorization', `Bearer ${token}`)
        .expect(200);
      const [, command, ...words] = services['replica-1'].healthcheck?.test ?? [];
      expect(command).toBe('lp-sandbox');
      expect(await run(words, { env: { SANDBOX_PORT: new URL(url).port } })).toMatchObject({ code: 0 });
    }
  });
});
