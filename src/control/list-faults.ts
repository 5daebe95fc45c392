import type { components } from '../contract/generated/control.ts';
import type { Fault } from '../faults/fault.ts';
import { faultGroups } from '../faults/index.ts';

type Schemas = components['schemas'];

/** Returns every fault with its parameters. */
export function listFaults(): Schemas['FaultList'] {
  const { reply, connection, batch, shape } = faultGroups;
  return {
    faults: [
      ...reply.map((fault) => described('reply', fault)),
      ...connection.map((fault) => described('connection', fault)),
      ...batch.map((fault) => described('batch', fault)),
      ...shape.map((fault) => described('shape', fault)),
    ],
  };
}

function described(
  group: Schemas['Fault']['group'],
  { name, summary, phase, parameters }: Fault,
): Schemas['Fault'] {
  return {
    name,
    group,
    summary,
    phase,
    parameters: Object.entries(parameters).map(([parameter, { help, form, takes, standard }]) => ({
      name: parameter,
      help,
      form,
      takes,
      standard: standard ?? null,
    })),
  };
}
