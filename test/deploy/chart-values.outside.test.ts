import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '../../src/commands/flags.ts';
import { Chart, chartFolder, type Values } from '../support/helm.ts';
import { minimal } from './chart-values.ts';

let chart: Chart;
beforeAll(() => {
  chart = new Chart();
});
afterAll(() => chart.end());

const schemaText = readFileSync(`${chartFolder}/values.schema.json`, 'utf8');

/** The flags that the chart sets itself, that are for files, or that need a second port. */
const notSettings: ReadonlySet<string> = new Set([
  'host',
  'port',
  'data',
  'data-sync',
  'advertise',
  'replica-secret',
  'control-token',
  'token-secret',
  'control-port',
]);

function withSecret(name: string, secret: Values): Values {
  const { secrets } = minimal as { readonly secrets: Values };
  return { secrets: { ...secrets, [name]: secret } };
}

describe('the values of the Helm chart', () => {
  it('can set each flag of the server that makes sense in a cluster', () => {
    const schema = JSON.parse(schemaText) as {
      readonly properties: { readonly settings: { readonly properties: Values } };
    };
    const expected = flags.map(({ name }) => name).filter((name) => !notSettings.has(name));
    expect(Object.keys(schema.properties.settings.properties).toSorted()).toEqual(expected.toSorted());
  });

  it('are checked with expressions that Go knows, too', () => {
    // Go has no lookarounds.
    expect(schemaText).not.toContain('(?');
  });

  it.each([
    ['', { replica: 3 }],
    ['/image', { image: { repo: 'a' } }],
    ['/secrets', { secrets: { controlTokens: {} } }],
    ['/secrets/controlToken', withSecret('controlToken', { secretName: 'a' })],
    ['/settings', { settings: { 'max-sandboxs': 3 } }],
    ['/settings', { settings: { port: 80 } }],
    ['/service', { service: { nodePort: 30_000 } }],
    ['/ingress', { ingress: { hosts: [] } }],
    ['/podDisruptionBudget', { podDisruptionBudget: { minAvailable: 1 } }],
    ['/autoscaling', { autoscaling: { memory: 80 } }],
    ['/resources', { resources: { limit: {} } }],
    ['/shutdown', { shutdown: { delay: 1 } }],
  ])('are refused if a name in "%s" is unknown: %j', (place, values) => {
    const { error } = chart.render('lp', { ...minimal, ...values });
    expect(error.split('\n')).toEqual([
      expect.stringContaining(`${place} must NOT have additional properties`),
    ]);
  });

  it.each([
    ['/replicas', { replicas: 0 }],
    ['/image/repository', { image: { repository: 'sandbox:1.0' } }],
    ['/secrets/replicaSecret/value', withSecret('replicaSecret', { value: 'short' })],
    ['/secrets/controlToken/value', withSecret('controlToken', { value: 'with spaces' })],
    ['/secrets/tokenSecret/value', withSecret('tokenSecret', { value: 'less-than-32-characters' })],
    ['/secrets/databaseUrl/value', withSecret('databaseUrl', { value: '/data' })],
    // What YAML 1.1 makes of `off`, which the server would refuse.
    ['/settings/limits', { settings: { limits: false } }],
    ['/settings/idle-expiry', { settings: { 'idle-expiry': false } }],
    ['/settings/trust-proxy', { settings: { 'trust-proxy': 1.5 } }],
    ['/extraEnv/0/name', { extraEnv: [{ name: 'SANDBOX_PORT', value: '1' }] }],
    ['/podLabels', { podLabels: { 'app.kubernetes.io/name': 'other' } }],
    ['/podAnnotations', { podAnnotations: { 'checksum/secret': 'none' } }],
  ])('are refused if %s is wrong: %j', (place, values) => {
    expect(chart.render('lp', { ...minimal, ...values }).error).toContain(`${place} must`);
  });

  it.each(['databaseUrl', 'replicaSecret', 'controlToken'])('need %s, and say how to set it', (name) => {
    const { error } = chart.render('lp', withSecret(name, {}));
    expect(error).toContain(
      `secrets.${name} is required. Set its value, or existingSecret to the name of a Secret`,
    );
  });

  it.each([
    [
      'secrets.controlToken has both a value and an existingSecret.',
      withSecret('controlToken', { value: 'operator-token', existingSecret: 'mine' }),
    ],
    [
      'secrets.replicaSecret has the key "control-token" of another secret.',
      withSecret('replicaSecret', { value: 'secret-of-all-replicas', key: 'control-token' }),
    ],
    ['ingress.host is required if the ingress is enabled.', { ...minimal, ingress: { enabled: true } }],
    [
      'autoscaling.maxReplicas must not be less than autoscaling.minReplicas.',
      { ...minimal, autoscaling: { enabled: true, maxReplicas: 1 } },
    ],
    [
      'shutdown.gracePeriodSeconds must be at least 10 more than shutdown.delaySeconds.',
      { ...minimal, shutdown: { delaySeconds: 25 } },
    ],
  ])('are refused if they contradict each other: %s', (message, values) => {
    expect(chart.render('lp', values).error).toContain(message);
  });

  it('give notes with the next steps', () => {
    expect(chart.render('lp', minimal).notes).toContain(
      'kubectl --namespace sandboxes port-forward service/lp-learning-platform-sandbox 4010:80',
    );
    const ingress = { enabled: true, host: 'sandbox.example', tlsSecret: 'certificate' };
    const { notes } = chart.render('lp', { ...minimal, ingress, replicas: 1 });
    expect(notes).toContain('curl -X POST https://sandbox.example/control/sandboxes -H "Authorization');
    expect(notes).toContain('Set secrets.tokenSecret to issue a token for each sandbox.');
    expect(notes).toContain('There is one replica.');
  });
});
