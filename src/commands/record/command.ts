import type { Command } from '../command.ts';
import { assumptionFlags, proxyServerFlags, upstreamFlags } from '../proxy/command.ts';

/** Flags that could reveal recorded data to others, or have no effect without a journal. */
const unwanted: ReadonlySet<string> = new Set([
  'log',
  'control-token',
  'control-port',
  'journal-memory',
  ...assumptionFlags,
]);

/** `lp-sandbox record`: a proxy that turns responses into an anonymized seed. */
export const record: Command = {
  name: 'record',
  summary: 'forward calls to the real service, and create an anonymized seed from its responses',
  flags: [
    {
      name: 'out',
      value: 'DIR',
      help: 'new or empty folder for the seed; gets a checkpoint every second, and the seed when you stop the recording',
    },
    ...upstreamFlags,
    {
      name: 'secret',
      value: 'TEXT',
      help: 'secret of at least 16 characters; recordings with the same secret get the same replacements (default: random)  [SANDBOX_RECORD_SECRET]',
    },
    {
      name: 'append',
      value: null,
      help: 'continue the recording in the folder of --out; needs its --secret',
    },
    {
      name: 'times',
      value: 'KIND',
      help: 'relative: times move with the clock of the sandbox, so that future events stay in the future; absolute: times are those of the service (default relative)',
    },
    ...proxyServerFlags.filter(({ name }) => !unwanted.has(name)),
  ],
  // Loaded on demand, like the proxy.
  run: async (invocation) => (await import('./run.ts')).runRecord(invocation),
};
