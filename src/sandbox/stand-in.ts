import { unguessableId } from './random.ts';
import type { SandboxPlan } from './sandbox-plan.ts';
import { Sandbox } from './sandbox.ts';

/**
 * Creates what stands for the default sandbox on replicas, which have none. Requests to no sandbox get their ids from
 * it, which must differ from those of other replicas.
 */
export function standIn(plan: Omit<SandboxPlan, 'id'>): Sandbox {
  return new Sandbox({ ...plan, id: unguessableId(), isReachable: false });
}
