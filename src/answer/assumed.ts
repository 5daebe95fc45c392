import type { AssumptionName } from '../assumptions.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CallContext } from './call-context.ts';

/** The sandbox and the options of a request that is not a call. */
export type Noting = Pick<CallContext, 'sandbox' | 'options' | 'assumed' | 'assume'>;

/** Returns a reader of options that notes the assumptions it reads. */
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
