import type { Command } from '../command.ts';
import { serverFlags } from '../own-server.ts';
import { reportFlag } from '../report-files.ts';
import { allowFlag, baselineFlags, failOnFlag, minCoverageFlag } from '../threshold-flags.ts';

/** `lp-sandbox exec`: runs a program with its own server and reports on the program's calls. */
export const exec: Command = {
  name: 'exec',
  summary: 'run a command with its own sandbox, and report on its calls',
  takesProgram: true,
  flags: [
    reportFlag('.json, .html, .junit.xml, .md, .har'),
    failOnFlag,
    allowFlag,
    ...baselineFlags,
    minCoverageFlag,
    ...serverFlags(),
  ],
  // Loaded on demand: a server needs neither the report nor child processes.
  run: async (invocation) => (await import('./run.ts')).runExec(invocation),
};
