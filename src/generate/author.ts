import { RecordDrafts } from '../contract/record-drafts.ts';
import type { Records } from '../contract/generated/facts.ts';
import type { Random } from '../sandbox/random.ts';
import type { CollectionName } from '../sandbox/seed.ts';
import { RecordContext, type Subject } from './record-context.ts';
import { topics } from './topics.ts';
import { eventWords } from './words/events.ts';
import { labWords } from './words/labs.ts';
import { lessonWords } from './words/lessons.ts';
import { peopleWords } from './words/people.ts';
import { quizWords } from './words/quiz.ts';
import { schoolWords } from './words/school.ts';

/** The tools that authors share, because creating them is expensive. */
export class WriterTools {
  readonly talk = new RecordContext();
  readonly drafts: RecordDrafts;

  constructor() {
    const parts = [eventWords, labWords, lessonWords, peopleWords, quizWords, schoolWords];
    this.drafts = new RecordDrafts(Object.assign({}, ...parts.map((words) => words(this.talk))));
  }
}

/** Returns the topic of a record that stands alone in a school. */
export function subjectOf(school: Subject['school'], number: number): Subject {
  const topic = topics[number % topics.length];
  if (topic === undefined) throw new Error('There is nothing to write about.');
  return { school, topic, number, collectionSize: 0 };
}

/** Writes believable records, one at a time; the same ones for the same randomness, name and topic. */
export class Author {
  readonly #random: Random;
  readonly #workshop: WriterTools;

  constructor(random: Random, workshop = new WriterTools()) {
    this.#random = random;
    this.#workshop = workshop;
  }

  /** Returns a record for a name in a collection. `given` holds its references and fixed fields. */
  write<N extends CollectionName>(
    collection: N,
    name: string | number,
    subject: Subject,
    given: Partial<Records[N]>,
  ): Records[N] {
    const digits = this.#digits(collection, name);
    const { talk, drafts } = this.#workshop;
    talk.about(subject, Number.parseInt(digits.slice(24, 32), 16));
    const draft = drafts.draft(collection, Number.parseInt(digits.slice(32, 40), 16));
    // The given fields complete the draft. References come first, as in the schemas.
    return { id: idIn(digits), ...given, ...draft, ...given } as Records[N];
  }

  /** Returns the id of the record for a name. */
  idOf(collection: CollectionName, name: string | number): string {
    return idIn(this.#digits(collection, name));
  }

  #digits(collection: CollectionName, name: string | number): string {
    return this.#random.hex(40, 'generated', collection, name);
  }
}

function idIn(digits: string): string {
  return digits.slice(0, 24);
}
