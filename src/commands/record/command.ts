import type { Command } from '../command.ts';
import { proxyServerFlags, upstreamFlags } from '../proxy/command.ts';

/** What would show what passes by to others: a recording shows it to nobody. */
const unwanted: ReadonlySet<string> = new Set(['log', 'control-token', 'control-port']);

/** `lp-sandbox record`: a proxy that makes a seed of what it sees, with nothing in it that was real. */
export const record: Command = {
  name: 'record',
  summary: 'pass calls on to the real service, and make an anonymous seed of what it answers',
  flags: [
    { name: 'out', value: 'DIR', help: 'the folder of the seed: new, or empty; written when the proxy is stopped' },
    ...upstreamFlags,
    {
      name: 'secret',
      value: 'TEXT',
      help: 'what replacements follow from, 16 characters or more, for the same ones in several recordings (default: made up)  [SANDBOX_RECORD_SECRET]',
    },
    ...proxyServerFlags.filter(({ name }) => !unwanted.has(name)),
  ],
  // Loaded when it is wanted, as the proxy is.
  run: async (invocation) => (await import('./run.ts')).runRecord(invocation),
};
