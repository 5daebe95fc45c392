import type { Schemas } from '../../api.ts';
import { snapshot } from '../sandbox.ts';
import { outcome, type Run } from './step.ts';

export const runReset: Run<'reset'> = async (stage, captions) => {
  await stage.control(captions.restore, 'post', `/snapshots/${snapshot}/restore`);
  const limits = { scale: 1 } as const satisfies Schemas['LimitSetting'];
  await stage.control(captions.limits, 'put', '/limits', limits, { response: ['/scale'] });
  await stage.control(captions.scenario, 'delete', '/scenario');
  const clock = { mode: 'real', now: new Date().toISOString() } as const satisfies Schemas['ClockSetting'];
  await stage.control(captions.clock, 'put', '/clock', clock);
  await stage.control(captions.journal, 'delete', '/journal');
  const { exchanges, changedRecords, scenario } = await stage.control<Schemas['Sandbox']>(
    captions.check,
    'get',
    '',
    undefined,
    { response: ['/exchanges', '/changedRecords', '/scenario', '/clock/now'] },
  );
  return outcome(
    exchanges === 0 && changedRecords === 0 && scenario === null,
    `The sandbox has ${changedRecords} changed records and ${exchanges} calls.`,
  );
};
