import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lpSandbox, startProgram } from '../support/command.ts';
import { Chart } from '../support/helm.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { containerOf, only, podOf } from './chart-objects.ts';
import { minimal } from './chart-values.ts';

let postgres: Postgres;
let chart: Chart;
beforeAll(async () => {
  chart = new Chart();
  postgres = await Postgres.start();
});
afterAll(async () => {
  chart.end();
  await postgres.end();
});

/** Node denies each write to a file, and each process that the program starts. */
const [, program] = lpSandbox;
const readOnly = [
  process.execPath,
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  '--allow-fs-read=*',
  '--allow-worker',
  '--no-warnings',
  program,
] as const;

describe('a replica as the Helm chart starts it', () => {
  it('serves and stores calls without a file that it could write, and leaves in time', async () => {
    const { objects, error } = chart.render('lp', minimal);
    expect(error).toBe('');
    const deployment = only(objects, 'Deployment');
    const { env, readinessProbe, livenessProbe } = containerOf(deployment);
    const { data = {} } = only(objects, 'Secret');
    const port = await unassignedPort();
    const given = Object.fromEntries(
      env.map(({ name, value, valueFrom }) => [
        name,
        value ?? Buffer.from(data[valueFrom?.secretKeyRef?.key ?? ''] ?? '', 'base64').toString(),
      ]),
    );
    const server = await startProgram([], {
      program: readOnly,
      env: {
        ...given,
        SANDBOX_PORT: String(port),
        SANDBOX_ADVERTISE: (given['SANDBOX_ADVERTISE'] ?? '')
          .replace('$(POD_IP)', '127.0.0.1')
          .replace('4010', String(port)),
        SANDBOX_DATA: await postgres.database(),
      },
    });
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    const client = supertest(`http://127.0.0.1:${port}`);
    await client.get(readinessProbe.httpGet.path).expect(200);
    await client.get(livenessProbe.httpGet.path).expect(200);
    await client
      .post('/control/sandboxes')
      .set('Authorization', 'Bearer operator-token')
      .send({ id: 'first' })
      .expect(201);
    const { body } = await client
      .post('/public/create-instructor-account')
      .set('SERVICE-API-KEY', 'sbx_first_riverside')
      .send({ data: [{ data: { instructorEmail: 'new@mail.example', instructorName: 'New' } }] })
      .expect(200);
    expect(body).toMatchObject([{ output: { status: 'ok' } }]);
    for (const page of ['/', '/console', '/docs/guides']) await client.get(page).expect(200);
    const before = performance.now();
    const { code, err } = await server.stop('SIGTERM');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [, delay = ''] = containerOf(deployment).lifecycle.preStop.exec.command;
    const needed = Number(delay) + (performance.now() - before) / 1000;
    expect(needed).toBeLessThan(podOf(deployment).spec.terminationGracePeriodSeconds);
  });
});
