import type { VNode } from 'preact';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { pathTo } from '../route.ts';
import type { School } from './school.ts';

/** The values that the API returns whatever the records have, under the options of the sandbox. */
export type FixedValues = readonly Schemas['FixedValue'][];

/** Loads the assumptions of a sandbox, which the page needs to say what its API returns. */
export function loadAssumptions({ sandbox: sandboxId }: School): Promise<Schemas['AssumptionList']> {
  return ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId });
}

interface Props {
  readonly school: School;
  readonly fixed: FixedValues;
  readonly collection: string;
  readonly field: string;
  /** The value of the record, which the page shows. */
  readonly value: string;
}

/** Says what the API returns for a field, with a link to the reason; nothing if it returns the value of the record. */
export function ReturnedInstead({ school, fixed, collection, field, value }: Props): VNode | null {
  const found = fixed.find((one) => one.collection === collection && one.field === field);
  if (found === undefined || found.value === value) return null;
  const to = pathTo(school.sandbox, 'assumptions', { search: found.assumption });
  return html`<span class="small">· <a href=${to} title=${`Because of the assumption ${found.assumption}`}>the API returns ${found.value}</a></span>`;
}
