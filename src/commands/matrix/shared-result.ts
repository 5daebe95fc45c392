import type { PlannedRun, Run } from './plan.ts';
import { repeatCommand } from './repeat-command.ts';
import type { Done, Stage } from './run-once.ts';

/** Returns the result of a run that is skipped. */
export function skipped(planned: PlannedRun, reason: string, stage: Stage): Run {
  return {
    ...aboutRun(planned, stage),
    result: 'skipped',
    reason,
    calls: 0,
    violations: 0,
    conduct: {},
    seconds: 0,
    exitCode: null,
    signal: null,
  };
}

/** Returns the result of an option from that of the run that others shared with it. */
export function sharing(
  planned: PlannedRun,
  { run }: Done,
  { count, stage }: { readonly count: number; readonly stage: Stage },
): Run {
  const { result, reason, missed, failedTests, lastCalls, files, output } = run;
  const { calls, violations, conduct, exitCode, signal } = run;
  return {
    ...aboutRun(planned, stage),
    result,
    reason,
    together: run.name,
    missed,
    failedTests,
    lastCalls,
    files,
    output: result === 'failed' ? output : '',
    calls,
    violations,
    conduct,
    seconds: Math.round((run.seconds / count) * 1000) / 1000,
    exitCode,
    signal,
  };
}

function aboutRun(planned: PlannedRun, { isAllowed, given, grading, program }: Stage) {
  return {
    name: planned.name,
    kind: planned.kind,
    assumptions: planned.assumptions,
    scenario: planned.scenario,
    allowed: isAllowed(planned),
    missed: [],
    failedTests: [],
    lastCalls: [],
    command: repeatCommand(planned, given, grading.allowed, program),
    files: [],
    output: '',
  } as const;
}
