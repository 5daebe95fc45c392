import type { Options } from '../assumptions.ts';
import { onDemand } from '../base/on-demand.ts';
import type { Authors, RecordAuthor } from '../sandbox/made-up.ts';
import type { Random } from '../sandbox/random.ts';
import { makesUpRecords } from '../sandbox/unknown-id.ts';

/**
 * The authors of synthesized records, loaded when options that need them are chosen, because calls do not
 * wait for them.
 */
export class LazyAuthors implements Authors {
  #make: ((random: Random) => RecordAuthor) | null = null;

  /** Resolves when sandboxes can have these options. */
  async prepare(options: Pick<Options, 'unknownId'>): Promise<void> {
    if (!makesUpRecords(options) || this.#make !== null) return;
    const { Author, WriterTools, subjectOf } = await onDemand(() => import('./author.ts'));
    const workshop = new WriterTools();
    this.#make = (random) => {
      const author = new Author(random, workshop);
      return {
        write: (collection, name, { school, number }, given) =>
          author.write(collection, name, subjectOf(school, number), given),
        idOf: (collection, name) => author.idOf(collection, name),
      };
    };
  }

  for(random: Random): RecordAuthor {
    if (this.#make === null)
      throw new Error('Records cannot be synthesized before an option that needs them is chosen.');
    return this.#make(random);
  }
}
