import { ask, type Schemas } from '../api.ts';
import { useDoing, type Doing } from '../parts/doing.ts';
import { useLoad } from '../parts/use-load.ts';
import type { ApiCall } from './api-call.ts';
import { failureRule, rulePrefix } from './failure-rule.ts';
import type { School } from './school.ts';

/** The failures that this page has armed. */
export interface Failures extends Pick<School, 'rules' | 'arm' | 'disarm'> {
  readonly doing: Doing;
}

/** Arms and undoes failures of next calls, and follows whether they have fired. */
export function useFailures(sandbox: string, school: string): Failures {
  const { value, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId: sandbox }),
    [sandbox],
    2000,
  );
  const doing = useDoing();
  const own = (value?.rules ?? []).filter(({ id }) => id.startsWith(rulePrefix));
  const rules = new Map(own.map((rule) => [rule.id, rule]));
  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    await doing.run(act, done);
    refresh();
  };
  const remove = (ruleId: string): Promise<unknown> =>
    ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId: sandbox, ruleId });
  const add = async (rule: Schemas['NewFaultRule']): Promise<void> => {
    // A rule that has fired would not fire again.
    if (rule.id !== undefined && rules.has(rule.id)) await remove(rule.id);
    await ask('post', '/control/sandboxes/{sandboxId}/faults', { sandboxId: sandbox }, rule);
  };
  return {
    rules,
    doing,
    arm: (call: ApiCall, what: string) =>
      void change(
        () => add(failureRule(call, school)),
        `The next ${call.operation} ${Object.keys(call.identity).length === 0 ? `of ${school}` : `for “${what}”`} returns 503 with Retry-After: 2.`,
      ),
    disarm: (ruleId: string, what: string) =>
      void change(() => remove(ruleId), `Undone: the next call for “${what}” does not fail.`),
  };
}
