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

/** What authors write with, one after the other: it costs more to make than to share. */
export class WriterTools {
  readonly talk = new RecordContext();
  readonly drafts: RecordDrafts;

  constructor() {
    const parts = [eventWords, labWords, lessonWords, peopleWords, quizWords, schoolWords];
    this.drafts = new RecordDrafts(Object.assign({}, ...parts.map((words) => words(this.talk))));
  }
}

/** What a record of a school is about that stands alone. */
export function subjectOf(school: Subject['school'], number: number): Subject {
  const topic = topics[number % topics.length];
  if (topic === undefined) throw new Error('There is nothing to write about.');
  return { school, topic, number, collectionSize: 0 };
}

/** Writes believable records, one at a time; the same every time for the same randomness, name and subject. */
export class Author {
  readonly #random: Random;
  readonly #workshop: WriterTools;

  constructor(random: Random, workshop = new WriterTools()) {
    this.#random = random;
    this.#workshop = workshop;
  }

  /** A record of its own for every name in a collection, with what is given: the records that it names, and what is settled already. */
  write<N extends CollectionName>(collection: N, name: string | number, subject: Subject, given: Partial<Records[N]>): Records[N] {
    const digits = this.#digits(collection, name);
    const { talk, drafts } = this.#workshop;
    talk.about(subject, Number.parseInt(digits.slice(24, 32), 16));
    const draft = drafts.draft(collection, Number.parseInt(digits.slice(32, 40), 16));
    // What a draft lacks is given. Names of records come first, as in the schemas.
    return { id: idIn(digits), ...given, ...draft, ...given } as Records[N];
  }

  /** The id of the record that is written under a name. */
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
