import type { Command } from '../command.ts';
import { knownFlag, moreKeyFlags, paceFlag, serviceFlags } from '../service-flags.ts';

/** `lp-sandbox calibrate`: detects which assumption options a service uses. */
export const calibrate: Command = {
  name: 'calibrate',
  summary: 'determine which assumption options a service uses, and write them to a file',
  flags: [
    ...serviceFlags,
    ...moreKeyFlags,
    knownFlag,
    {
      name: 'allow-writes',
      value: null,
      help: 'also run the probes that write; the list shows what each one leaves behind',
    },
    { name: 'dry-run', value: null, help: 'list the probes without running them' },
    paceFlag,
    { name: 'quick', value: null, help: 'skip probes that wait for rate limits' },
    { name: 'skip', value: 'LIST', help: 'skip these probes, by name' },
    { name: 'out', value: 'FILE', help: 'output file (default assumptions.yaml; none with --check)' },
    {
      name: 'check',
      value: 'FILE',
      help: 'compare with the assumptions in this file, and exit with 3 if the service has changed',
    },
    { name: 'format', value: 'F', help: 'text or json: how to print the result (default text)' },
    {
      name: 'resume',
      value: null,
      help: 'continue after an interruption, from the checkpoint beside the output file',
    },
    { name: 'force', value: null, help: 'overwrite an existing file' },
  ],
  notes: [
    'Exit codes:',
    '  0  at least one assumption was determined',
    '  1  the service cannot be calibrated (it is down, redirects, refuses the key…), or the command failed',
    '  2  usage error',
    '  3  the service differs from the file of --check',
    '  4  nothing could be determined; no file was written',
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runCalibrate(invocation),
};
