import type { components } from '../contract/generated/control.ts';

/** Schemas of the control plane's contract, by name. */
export type Schemas = components['schemas'];

/** A failed control request, from its problem document. Status 0: no response. */
export class ControlProblem extends Error {
  readonly status: number;
  readonly title: string;
  readonly violations: NonNullable<Schemas['Problem']['violations']>;

  constructor({ status, title, detail, violations = [] }: Omit<Schemas['Problem'], 'type'>) {
    super(detail);
    this.status = status;
    this.title = title;
    this.violations = violations;
  }
}
