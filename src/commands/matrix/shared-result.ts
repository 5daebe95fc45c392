import { exchangeOf } from '../../report/evidence/exchanges.ts';
import { lastOf } from '../last-calls.ts';
import { named } from './evidence.ts';
import { maxTests } from './failed-tests.ts';
import type { PlannedRun, Run } from './plan.ts';
import { repeatCommand } from './repeat-command.ts';
import { failureOf } from './result.ts';
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

/** Returns a run that ended as the one with the defaults, with its own figures. */
export function likeDefaults(done: Done, { run: expected, evidence }: Done): Done {
  const { result, reason, missed, failedTests, lastCalls, files, output, exitCode, signal } = expected;
  const ending = { result, reason, missed, failedTests, lastCalls, files, output, exitCode, signal };
  return { ...done, run: { ...done.run, ...ending }, evidence };
}

/** Returns a run as if only these tests had failed. */
export function withTests(done: Done, tests: readonly string[]): Done {
  const last = lastOf(done.lastOfTests, tests);
  const failedTests = tests.slice(0, maxTests);
  const run = {
    ...done.run,
    reason: failureOf(done.run.exitCode, failedTests),
    failedTests,
    lastCalls: last.map(named),
  };
  return { ...done, run, evidence: last.map(exchangeOf) };
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
