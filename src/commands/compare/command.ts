import type { Command } from '../command.ts';
import { differenceFlags } from '../difference-flags.ts';
import { knownFlag, moreKeyFlags, paceFlag, serviceFlags } from '../service-flags.ts';
import { twinFlags } from '../twin-flags.ts';

/** `lp-sandbox compare`: sends the same calls to a service and to a sandbox, and shows where they differ. */
export const compare: Command = {
  name: 'compare',
  summary: 'send the same calls to the real service and to a sandbox, and show where they differ',
  flags: [
    ...serviceFlags,
    ...moreKeyFlags,
    knownFlag,
    {
      name: 'calls',
      value: 'FILE|URL',
      help: 'send the calls of a HAR or a journal instead of the examples of the contract; a URL is the journal of a running sandbox',
    },
    { name: 'no-probes', value: null, help: 'leave out the probes of calibrate; send only the calls' },
    {
      name: 'rate-limits',
      value: null,
      help: 'also run the probes that exceed rate limits, which takes a few minutes',
    },
    {
      name: 'allow-writes',
      value: null,
      help: 'also send calls that write (docs/compare.md lists what they leave behind)',
    },
    paceFlag,
    { name: 'school', value: 'NAME', help: 'the school of the sandbox (default: the first of its seed)' },
    ...differenceFlags,
    ...twinFlags,
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runCompare(invocation),
};
