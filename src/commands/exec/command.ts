import type { Command } from '../command.ts';
import { serverFlags } from '../own-server.ts';
import { reportFlag } from '../report-files.ts';

/** `lp-sandbox exec`: a server for the time that one program runs, and a report on what the program did. */
export const exec: Command = {
  name: 'exec',
  summary: 'run a command with a sandbox of its own, and report on what it did',
  takesProgram: true,
  flags: [
    reportFlag('.json, .html, .junit.xml, .md'),
    {
      name: 'fail-on',
      value: 'LIST',
      help: 'exit with 3 where the client broke the contract (violations), its conduct (conduct), or a check of it by name',
    },
    { name: 'min-coverage', value: 'N', help: 'exit with 3 where less than N per cent of the situations were met' },
    ...serverFlags(),
  ],
  // Loaded when it is wanted: a server alone needs neither the report nor what starts programs.
  run: async (invocation) => (await import('./run.ts')).runExec(invocation),
};
