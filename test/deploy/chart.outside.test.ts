import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { flags } from '../../src/commands/flags.ts';
import { readSettings, variableOf } from '../../src/commands/settings.ts';
import { Chart, chartFolder, isHelmInstalled, type KubernetesObject, type Values } from '../support/helm.ts';
import { minimal, releases } from './chart-values.ts';
import { containerOf, only, podOf, type Variable } from './chart-objects.ts';

let chart: Chart;
beforeAll(() => {
  chart = new Chart();
});
afterAll(() => chart.end());

function objectsOf(name: string, values: Values): readonly KubernetesObject[] {
  const { objects, error } = chart.render(name, values);
  expect(error).toBe('');
  return objects;
}

function byName(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.toSorted((a, b) => a.kind.localeCompare(b.kind));
}

function checksum(values: Values): unknown {
  return podOf(only(objectsOf('lp', values), 'Deployment')).metadata.annotations['checksum/secret'];
}

const dnsLabel = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The current API of each kind. */
const apis: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Service: 'v1',
  Secret: 'v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
};

/** The secrets of the server, whose values appear only in the Secret. */
const secretVariables = [
  'SANDBOX_DATA',
  'SANDBOX_REPLICA_SECRET',
  'SANDBOX_CONTROL_TOKEN',
  'SANDBOX_TOKEN_SECRET',
];

it('Chart.yaml has what Helm requires, and the version of the program', () => {
  const read = parse(readFileSync(`${chartFolder}/Chart.yaml`, 'utf8')) as Values;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  expect(read).toMatchObject({ apiVersion: 'v2', name: basename(chartFolder), type: 'application' });
  expect(read).toMatchObject({ version, appVersion: version });
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

describe.each(releases)('the chart with %s', (_, name, values) => {
  it('gives objects of Kubernetes with valid names and labels, each once', () => {
    const objects = objectsOf(name, values);
    for (const { apiVersion, kind, metadata } of objects) {
      expect(apis[kind]).toBe(apiVersion);
      expect(metadata.name).toMatch(dnsLabel);
      expect(Object.values(metadata.labels)).toSatisfy((all: readonly string[]) =>
        all.every((one) => labelValue.test(one)),
      );
    }
    const kinds = objects.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'Service']));
    // Kubernetes appends up to 17 characters to the names of the pods, which are labels, too.
    expect(only(objects, 'Deployment').metadata.name.length).toBeLessThanOrEqual(46);
  });

  it('selects its own pods', () => {
    const objects = objectsOf(name, values);
    const deployment = only(objects, 'Deployment');
    const { labels } = podOf(deployment).metadata;
    const selector = {
      'app.kubernetes.io/name': 'learning-platform-sandbox',
      'app.kubernetes.io/instance': name,
    };
    expect(labels).toMatchObject(selector);
    expect(deployment.spec['selector']).toEqual({ matchLabels: selector });
    expect(only(objects, 'Service').spec['selector']).toEqual(selector);
    for (const budget of objects.filter(({ kind }) => kind === 'PodDisruptionBudget'))
      expect(budget.spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: selector } });
    for (const { labelSelector } of podOf(deployment).spec.topologySpreadConstraints)
      expect(labelSelector).toEqual({ matchLabels: selector });
  });

  it('takes secrets only from Secrets: its own, or one that the values name', () => {
    const objects = objectsOf(name, values);
    const container = containerOf(only(objects, 'Deployment'));
    expect(container.command ?? container.args).toBeUndefined();
    const own = objects.find(({ kind }) => kind === 'Secret');
    const { secrets } = values as {
      readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };
    const given = new Set(Object.values(secrets).map(({ existingSecret }) => existingSecret));
    for (const { name: variable, value, valueFrom } of container.env) {
      if (!secretVariables.includes(variable)) continue;
      expect(value).toBeUndefined();
      const { name: from = '', key = '' } = valueFrom?.secretKeyRef ?? {};
      if (!given.has(from))
        expect([own?.metadata.name, Object.keys(own?.data ?? {})]).toEqual([
          from,
          expect.arrayContaining([key]),
        ]);
    }
    const stored = Object.values(own?.data ?? {}).map((text) => Buffer.from(text, 'base64').toString());
    expect(stored.toSorted()).toEqual(
      Object.values(secrets)
        .flatMap(({ value }) => value ?? [])
        .toSorted(),
    );
    const others = JSON.stringify(objects.filter((object) => object !== own));
    expect(stored.filter((text) => others.includes(text))).toEqual([]);
  });

  it('passes variables that are flags of the server, with values that it accepts', async () => {
    const { env } = containerOf(only(objectsOf(name, values), 'Deployment'));
    const names = env.map((one) => one.name);
    expect(new Set(names).size).toBe(names.length);
    const known = new Set([...flags.map(variableOf), 'POD_IP', 'NODE_OPTIONS']);
    expect(names.filter((one) => !known.has(one))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(secretVariables.slice(0, 3)));
    const plain = env.flatMap((one) =>
      one.value === undefined ? [] : [[one.name, expanded(one, env, values['ipFamily'] === 'IPv6')]],
    );
    const settings = await readSettings(new Map(), Object.fromEntries(plain) as NodeJS.ProcessEnv);
    const { settings: wanted = {} } = values as { readonly settings?: Values };
    if (wanted['max-sandboxes'] === undefined) return;
    expect(settings).toMatchObject({
      host: '::',
      advertise: 'http://[fd00::7]:4010',
      randomSeed: 4_000_000_000,
      maxSandboxes: 1_000_000,
      stateMemory: 1_073_741_824,
      limits: 0.5,
      labels: false,
      autoCreate: false,
      refusalTemplate: '{"text":"{{message}} $(POD_IP)"}',
    });
  });

  it('probes the port that its Service and Ingress lead to', () => {
    const objects = objectsOf(name, values);
    const container = containerOf(only(objects, 'Deployment'));
    expect(container.ports).toEqual([{ name: 'http', containerPort: 4010, protocol: 'TCP' }]);
    expect(container.env).toContainEqual({ name: 'SANDBOX_PORT', value: '4010' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    const service = only(objects, 'Service');
    expect(service.spec['ports']).toMatchObject([{ name: 'http', targetPort: 'http' }]);
    for (const { spec } of objects.filter(({ kind }) => kind === 'Ingress'))
      expect(JSON.stringify(spec)).toContain(
        JSON.stringify({ service: { name: service.metadata.name, port: { name: 'http' } } }),
      );
  });

  it('replaces replicas one at a time, without one less, and leaves each the time to give its sandboxes away', () => {
    const deployment = only(objectsOf(name, values), 'Deployment');
    expect(deployment.spec['strategy']).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    const { terminationGracePeriodSeconds } = podOf(deployment).spec;
    const [command, delay = ''] = containerOf(deployment).lifecycle.preStop.exec.command;
    expect(command).toBe('sleep');
    // 1.5 s in which it forwards calls, and up to 5 s to finish those in progress.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(delay) + 6.5);
  });

  it('leaves the number of replicas to the autoscaler, if there is one', () => {
    const objects = objectsOf(name, values);
    const deployment = only(objects, 'Deployment');
    const scaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(deployment.spec['replicas'] === undefined).toBe(scaler !== undefined);
    if (scaler === undefined) return;
    const { apiVersion, kind, metadata } = deployment;
    expect(scaler.spec['scaleTargetRef']).toEqual({ apiVersion, kind, name: metadata.name });
    // A share of the processor is a share of what is requested.
    expect(containerOf(deployment).resources.requests?.['cpu']).toBeDefined();
  });

  it('grants the container no more than it needs', () => {
    const deployment = only(objectsOf(name, values), 'Deployment');
    const { spec } = podOf(deployment);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    });
    expect(readFileSync('Dockerfile', 'utf8')).toContain('USER 1000:1000');
    expect(containerOf(deployment).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.runIf(isHelmInstalled())('is the same for Helm itself', () => {
    chart.helmLint(values);
    expect(byName(objectsOf(name, values))).toEqual(byName(chart.helmTemplate(name, values)));
  });
});

it('replicas restart when a secret of the chart changes', () => {
  expect(checksum(minimal)).toBe(checksum({ ...minimal, replicas: 3 }));
  const { secrets } = minimal as { readonly secrets: Values };
  expect(checksum(minimal)).not.toBe(
    checksum({ secrets: { ...secrets, controlToken: { value: 'another-token' } } }),
  );
});

/** A value as the container gets it: Kubernetes replaces $(NAME), unless it is written $$(NAME). */
function expanded({ value = '' }: Variable, env: readonly Variable[], isIPv6: boolean): string {
  expect(env[0]).toMatchObject({ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } });
  const address = isIPv6 ? 'fd00::7' : '10.0.0.7';
  return value.replaceAll(/\$\$\(|\$\(POD_IP\)/g, (found) => (found === '$$(' ? '$(' : address));
}
