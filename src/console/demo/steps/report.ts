import type { Schemas } from '../../api.ts';
import type { Finding } from '../played.ts';
import { outcome, type Run } from './step.ts';

export const runReport: Run<'report'> = async (stage, captions) => {
  const report = await stage.control<Schemas['Report']>(captions.report, 'get', '/report', undefined, {
    response: ['/calls', '/faultsMet/*', '/violations/*/message'],
  });
  const { calls, coverage, violations, conduct } = report;
  if (calls === 0)
    return outcome(
      false,
      'There is nothing to report yet, because no step of this demo has called the API. Do “Mistake” and “Outage”, then do this step again.',
    );
  const used = coverage.filter((one) => one.calls > 0).length;
  const findings: readonly Finding[] = [
    { tone: 'good', text: `${calls} calls of ${used} of the ${coverage.length} operations` },
    ...violations.map(({ operation, pointer, message }): Finding => ({
      tone: 'bad',
      text: `${operation}: ${pointer} ${message}`,
    })),
    ...conduct
      .filter(
        ({ verdict, strength }) => strength !== 'advice' && (verdict === 'passed' || verdict === 'failed'),
      )
      .map(({ verdict, title, findings: [first] }): Finding =>
        verdict === 'passed'
          ? { tone: 'good', text: title }
          : { tone: 'bad', text: first === undefined ? title : `${title}: ${first.message}` },
      ),
  ];
  const waited = conduct.some(({ check, verdict }) => check === 'retry-after' && verdict === 'passed');
  const open: readonly Finding[] = [
    ...(violations.length > 0
      ? []
      : [{ tone: 'open', text: 'Not exercised: a mistake. Do the step “Mistake”.' } as const]),
    ...(waited ? [] : [{ tone: 'open', text: 'Not exercised: an outage. Do the step “Outage”.' } as const]),
  ];
  stage.show({ kind: 'findings', findings: [...findings, ...open] });
  return outcome(
    open.length === 0,
    'The report covers only the steps that you have done. If *Look* shows a good verdict, it is about these steps alone. The list below names what was not exercised.',
  );
};
