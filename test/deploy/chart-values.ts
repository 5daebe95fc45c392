import type { Values } from '../support/helm.ts';

/** What must be given: everything else has a default. */
export const minimal: Values = {
  secrets: {
    databaseUrl: { value: 'postgres://sandbox:pass$(word)@db.example/sandboxes?sslmode=verify-full' },
    replicaSecret: { value: 'secret-of-all-replicas' },
    controlToken: { value: 'operator-token' },
  },
};

/** Another choice for every value. */
const all: Values = {
  image: { repository: 'registry.example:5000/team/sandbox', tag: '1.2.3-rc.1', pullPolicy: 'Always' },
  imagePullSecrets: ['registry'],
  fullnameOverride: 'integrators',
  replicas: 5,
  secrets: {
    databaseUrl: { existingSecret: 'database-app', key: 'uri' },
    replicaSecret: { existingSecret: 'sandbox.replicas' },
    controlToken: { value: 'operator-token', key: 'token' },
    tokenSecret: { value: 'a-secret-of-at-least-32-characters' },
  },
  settings: {
    'trust-proxy': 2,
    log: 'pretty',
    'public-url': 'https://sandbox.example',
    seed: '/seeds/school',
    'random-seed': 4_000_000_000,
    'assume-file': '/seeds/assumptions.yaml',
    assume: 'refusalBody=template',
    profile: 'strict',
    'refusal-template': '{"text":"{{message}} $(POD_IP)"}',
    'gateway-template': '/seeds/gateway.json',
    scenario: 'flaky-network',
    'latency-from': '/seeds/report.json',
    'no-labels': true,
    limits: 0.5,
    'max-sandboxes': 1_000_000,
    'idle-expiry': 'P14D',
    'journal-memory': '512MiB',
    'state-memory': 1_073_741_824,
    max: 'batchElements=100',
    'no-auto-create': true,
  },
  extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=3072' }],
  ipFamily: 'IPv6',
  service: { type: 'LoadBalancer', port: 8080, annotations: { 'cloud.example/internal': 'true' } },
  ingress: {
    enabled: true,
    className: 'haproxy',
    annotations: { 'ingress.example/timeout': '75s' },
    host: 'sandbox.example',
    tlsSecret: 'sandbox-tls',
  },
  podDisruptionBudget: { enabled: false },
  autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 20, targetCPUUtilizationPercentage: 60 },
  resources: { requests: { cpu: 1, memory: '3Gi' }, limits: { memory: '4Gi' } },
  shutdown: { delaySeconds: 20, gracePeriodSeconds: 60 },
  podAnnotations: { 'metrics.example/scrape': 'true' },
  podLabels: { team: 'integrations' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'pool', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high',
  volumes: [{ name: 'seeds', configMap: { name: 'seeds' } }],
  volumeMounts: [{ name: 'seeds', mountPath: '/seeds', readOnly: true }],
};

/** All secrets are in a Secret of the user's own. */
const ownSecret: Values = {
  secrets: Object.fromEntries(
    ['databaseUrl', 'replicaSecret', 'controlToken', 'tokenSecret'].map((name) => [
      name,
      { existingSecret: 'sandbox-secrets' },
    ]),
  ),
  replicas: 1,
};

/** Releases by name, one of which is as long as Helm allows. */
export const releases: readonly (readonly [what: string, name: string, values: Values])[] = [
  ['minimal values', 'lp', minimal],
  ['all values', 'lp', all],
  ['secrets of the user', 'learning-platform-sandbox', ownSecret],
  ['an ingress without TLS', 'lp', { ...minimal, ingress: { enabled: true, host: 'sandbox.example' } }],
  ['autoscaling', 'lp', { ...minimal, autoscaling: { enabled: true } }],
  ['a long name', `r${'-0'.repeat(26)}`, minimal],
  ['defaults that are removed', 'lp', { ...minimal, settings: { 'trust-proxy': null, log: null } }],
];
