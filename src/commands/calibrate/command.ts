import type { Command } from '../command.ts';

/** `lp-sandbox calibrate`: which options of the assumptions a service shows. */
export const calibrate: Command = {
  name: 'calibrate',
  summary: 'find out which options of the assumptions a service shows, and write them to a file',
  flags: [
    { name: 'upstream', value: 'URL', help: 'the service; operations are at URL/public/…' },
    { name: 'key', value: 'K', help: 'its API key; better as a variable, which no list of processes shows  [UPSTREAM_API_KEY]' },
    { name: 'second-key', value: 'K', help: 'another key of the same school  [UPSTREAM_SECOND_KEY]' },
    { name: 'other-key', value: 'K', help: 'a key of another school  [UPSTREAM_OTHER_KEY]' },
    { name: 'known', value: 'FILE', help: 'identifiers that no operation lists, in YAML (docs/calibrate.md)' },
    { name: 'allow-writes', value: null, help: 'make the probes that write, too; the list says what each leaves behind' },
    { name: 'dry-run', value: null, help: 'only list the probes' },
    { name: 'pace', value: 'S', help: 'seconds between two calls (default 0.5)' },
    { name: 'quick', value: null, help: 'leave out what waits for rate limits' },
    { name: 'skip', value: 'LIST', help: 'leave out probes by their names' },
    { name: 'out', value: 'FILE', help: 'where the options are written (default assumptions.yaml)' },
    { name: 'force', value: null, help: 'write over a file that is there' },
  ],
  // Loaded when it is wanted: a server alone needs none of it.
  run: async (invocation) => (await import('./run.ts')).runCalibrate(invocation),
};
