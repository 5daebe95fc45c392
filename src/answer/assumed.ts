import type { AssumptionName } from '../assumptions.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CallContext } from './call-context.ts';

/** The sandbox and the options of a request that is no call. */
export type Noting = Pick<CallContext, 'sandbox' | 'options' | 'assumed' | 'assume'>;

/** Returns what notes the assumptions that are read. */
export function noting(sandbox: Sandbox): Noting {
  const { options } = sandbox;
  const assumed: AssumptionName[] = [];
  return {
    sandbox,
    options,
    assumed,
    assume: (name) => {
      if (!assumed.includes(name)) assumed.push(name);
      return options[name];
    },
  };
}

/** Returns the value of the header that lists the assumptions that shaped a reply. */
export function assumedHeader({ assumed, options }: Pick<CallContext, 'assumed' | 'options'>): string {
  let text = '';
  for (const name of assumed) text += `${text === '' ? '' : ', '}${name}=${options[name]}`;
  return text;
}
