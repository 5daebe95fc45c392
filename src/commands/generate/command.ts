import { collectionNames } from '../../sandbox/seed.ts';
import { usually, writtenName } from '../../generate/counts.ts';
import type { Command } from '../command.ts';

/** `lp-sandbox generate`: a folder that a server can start from, with a school of any size. */
export const generate: Command = {
  name: 'generate',
  summary: 'write a seed with as many records as you like, for start --seed DIR',
  flags: [
    { name: 'out', value: 'DIR', help: 'the folder to write, which is empty or not there yet' },
    { name: 'force', value: null, help: 'replace the seed that the folder holds' },
    { name: 'random-seed', value: 'N', help: 'what all names, texts and ids follow from (default 1)' },
    ...collectionNames.map((name) => ({ name: writtenName(name), value: 'N', help: `how many there are (default ${usually(name)})` })),
  ],
  // Loaded when it is wanted: a server alone needs none of it.
  run: async (invocation) => (await import('./run.ts')).runGenerate(invocation),
};
