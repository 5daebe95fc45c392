import type { Options } from '../assumptions.ts';
import { onDemand } from '../on-demand.ts';
import { MadeUp } from './made-up.ts';
import type { Random } from './random.ts';
import { makesUpRecords } from './unknown-id.ts';

/** Who makes records up, for the sandboxes of a server: loaded when options that need it are chosen, since calls do not wait for it. */
export class Authors {
  #make: ((random: Random) => MadeUp) | null = null;

  /** Resolves when sandboxes can have these options. */
  async prepare(options: Pick<Options, 'unknownId'>): Promise<void> {
    if (!makesUpRecords(options) || this.#make !== null) return;
    const { Author, Workshop, subjectOf } = await onDemand(() => import('../generate/author.ts'));
    const workshop = new Workshop();
    this.#make = (random) => new MadeUp(new Author(random, workshop), subjectOf, random);
  }

  /** Records made up from a sandbox's randomness. */
  for(random: Random): MadeUp {
    if (this.#make === null) throw new Error('Records cannot be made up before anybody has chosen that they are.');
    return this.#make(random);
  }
}
