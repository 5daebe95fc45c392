import type { Command } from '../command.ts';
import { isOfEveryRun, serverFlags } from '../own-server.ts';
import { reportFlag } from '../report-files.ts';

/** `lp-sandbox matrix`: a program once for every way in which the real service might differ or fail. */
export const matrix: Command = {
  name: 'matrix',
  summary: 'run a command once per option of every assumption and once per scenario, and tell where it fails',
  takesProgram: true,
  flags: [
    {
      name: 'only',
      value: 'LIST',
      help: 'run just these: assumptions, NAME=OPTION, scenarios, profiles by name; or assumptions, scenarios, profiles for all of a kind',
    },
    { name: 'profiles', value: null, help: 'run once per profile, too' },
    { name: 'jobs', value: 'N', help: 'how many runs there are at once (default 1, as tests may be in their own way)' },
    { name: 'timeout', value: 'S', help: 'seconds after which a run is ended, and counts as failed (default 600)' },
    {
      name: 'allow',
      value: '[LIST]',
      help: 'exit with 0 though these runs failed, named as for --only; without a list, whichever failed',
      several: 'none or more',
    },
    reportFlag('.json, .junit.xml, .md'),
    ...serverFlags(isOfEveryRun),
  ],
  // Loaded when it is wanted: a server alone needs none of it.
  run: async (invocation) => (await import('./run.ts')).runMatrix(invocation),
};
