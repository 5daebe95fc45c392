import { collectionNames } from '../../sandbox/seed.ts';
import { defaultCountInWords, writtenName } from '../../generate/counts.ts';
import type { Command } from '../command.ts';

/** `lp-sandbox generate`: writes a seed folder with schools of any size. */
export const generate: Command = {
  name: 'generate',
  summary: 'write a seed with any number of records, for start --seed DIR',
  flags: [
    { name: 'out', value: 'DIR', help: 'the folder to write; it must be empty or not exist' },
    { name: 'force', value: null, help: 'replace the seed in the folder' },
    { name: 'random-seed', value: 'N', help: 'seed of all names, texts and ids (default 1)' },
    ...collectionNames.map((name) => ({
      name: writtenName(name),
      value: 'N',
      help: `number of ${writtenName(name).replaceAll('-', ' ')} (default ${defaultCountInWords(name)})`,
    })),
  ],
  // Loaded on demand: a server does not need it.
  run: async (invocation) => (await import('./run.ts')).runGenerate(invocation),
};
