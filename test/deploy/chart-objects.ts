import type { KubernetesObject } from '../support/helm.ts';

/** A variable of a container. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly image: string;
  readonly env: readonly Variable[];
  readonly ports: readonly unknown[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: { readonly requests?: Readonly<Record<string, unknown>> };
  readonly securityContext: unknown;
}

interface Pod {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly topologySpreadConstraints: readonly { readonly labelSelector: unknown }[];
    readonly containers: readonly Container[];
  };
}

/** Returns the only object of a kind. Throws if there is none, or several. */
export function only(objects: readonly KubernetesObject[], kind: string): KubernetesObject {
  const [found, ...others] = objects.filter((object) => object.kind === kind);
  if (found === undefined || others.length > 0) throw new Error(`There is not exactly one ${kind}.`);
  return found;
}

/** Returns the template of the pods of a Deployment. */
export function podOf(deployment: KubernetesObject): Pod {
  // Each test reads only fields that it expects in the template, and fails without them.
  return deployment.spec['template'] as Pod;
}

export function containerOf(deployment: KubernetesObject): Container {
  const [container, ...others] = podOf(deployment).spec.containers;
  if (container === undefined || others.length > 0) throw new Error('There is not exactly one container.');
  return container;
}
