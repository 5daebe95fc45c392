import type { Command } from '../command.ts';
import { reportFlag } from '../report-files.ts';
import { allowFlag, baselineFlags, failOnFlag, minCoverageFlag } from '../threshold-flags.ts';

/** `lp-sandbox report merge`: merges reports of several runs, jobs or sandboxes into one. */
export const report: Command = {
  name: 'report',
  summary: 'merge reports of several runs or jobs into one',
  operands: 'merge FILE…',
  flags: [
    reportFlag('.json, .html, .junit.xml, .md'),
    failOnFlag,
    allowFlag,
    ...baselineFlags,
    minCoverageFlag,
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runReport(invocation),
};
