import type { Command } from '../command.ts';
import { differenceFlags } from '../difference-flags.ts';
import { twinFlags } from '../twin-flags.ts';

/** `lp-sandbox replay`: sends the calls of a recording to a sandbox, and reports where replies differ. */
export const replay: Command = {
  name: 'replay',
  summary: 'send the calls of a journal or HAR to a sandbox, and show where the responses differ',
  operands: 'FILE',
  flags: [
    {
      name: 'url',
      value: 'URL',
      help: 'use a new sandbox of this running server (default: a server of its own)',
    },
    {
      name: 'token',
      value: 'T',
      help: 'control token of that server  [SANDBOX_CONTROL_TOKEN]',
    },
    {
      name: 'began',
      value: 'TIME',
      help: 'when the recorded sandbox was created, in ISO 8601; relative times of its seed count from then (default: its first call)',
    },
    {
      name: 'school',
      value: 'NAME',
      help: 'the school of recordings that name none (default: the first of the seed)',
    },
    ...differenceFlags,
    ...twinFlags,
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runReplay(invocation),
};
