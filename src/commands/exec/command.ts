import type { Command } from '../command.ts';
import { serverFlags } from '../own-server.ts';
import { reportFlag } from '../report-files.ts';

/** `lp-sandbox exec`: runs a program with its own server and reports on the program's calls. */
export const exec: Command = {
  name: 'exec',
  summary: 'run a command with its own sandbox, and report on its calls',
  takesProgram: true,
  flags: [
    reportFlag('.json, .html, .junit.xml, .md'),
    {
      name: 'fail-on',
      value: 'LIST',
      help: 'exit with 3 if the client violates the contract (violations), fails any conduct check (conduct), or fails a check given by name',
    },
    {
      name: 'min-coverage',
      value: 'N',
      help: 'exit with 3 if less than N percent of the situations were met',
    },
    ...serverFlags(),
  ],
  // Loaded on demand: a server needs neither the report nor child processes.
  run: async (invocation) => (await import('./run.ts')).runExec(invocation),
};
