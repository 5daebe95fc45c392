import type { Command } from '../command.ts';
import { isOfEveryRun, serverFlags } from '../own-server.ts';
import { reportFlag } from '../report-files.ts';
import { baselineFlags, failOnFlag, minCoverageFlag } from '../threshold-flags.ts';

/** `lp-sandbox matrix`: runs a program once for each way in which the real service might differ or fail. */
export const matrix: Command = {
  name: 'matrix',
  summary: 'run a command once per assumption option and once per scenario, and report which runs fail',
  takesProgram: true,
  flags: [
    {
      name: 'only',
      value: 'LIST',
      help: 'run only these: names of assumptions, NAME=OPTION, scenarios or profiles; "assumptions", "scenarios" or "profiles" selects all of that kind',
    },
    { name: 'profiles', value: null, help: 'also run once per profile' },
    {
      name: 'jobs',
      value: 'N',
      help: 'number of parallel runs (default 1, because parallel tests may interfere with each other)',
    },
    {
      name: 'timeout',
      value: 'S',
      help: 'seconds after which a run is stopped and counts as failed (default 600)',
    },
    {
      name: 'allow',
      value: '[LIST]',
      help: 'runs that may fail (names as for --only; all without a list), and findings that --fail-on ignores, such as violations:create-instructor-account',
      several: 'none or more',
    },
    {
      name: 'skip-unmet',
      value: null,
      help: 'skip runs whose assumption or scenario the command cannot trigger, judging by the run with the defaults',
    },
    {
      name: 'combine',
      value: null,
      help: 'test options of different assumptions in one run; if it fails, test them in smaller groups; also skips what --skip-unmet skips',
    },
    {
      name: 'junit',
      value: 'PATH',
      help: 'JUnit file that the command writes, to name the failed tests; {run} becomes the value of SANDBOX_ID',
    },
    {
      name: 'keep',
      value: 'DIR',
      help: 'folder for the report and the journal of each failed run (default: <report>-runs next to the first file of --report)',
    },
    failOnFlag,
    ...baselineFlags,
    minCoverageFlag,
    reportFlag('.json, .html, .junit.xml, .md'),
    ...serverFlags(isOfEveryRun),
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runMatrix(invocation),
};
