import type { Words } from '../../contract/record-drafts.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

/** Words about people: learners and instructors. */
export function peopleWords(talk: RecordContext): Words {
  const { faker } = talk;
  const first = (): string => talk.once('first name', () => faker.person.firstName());
  const last = (): string => talk.once('last name', () => faker.person.lastName());
  const address = (): string => `${slugOf(first())}.${slugOf(last())}`;
  const topic = (): string => talk.subject.topic.name;
  return {
    personName: () => `${first()} ${last()}`,
    learnerEmail: () => `${address()}@students.${talk.subject.school.slug}.example`,
    instructorEmail: () => `${address()}@${talk.subject.school.slug}.example`,
    tagline: () =>
      talk.pick([
        `${topic()}, one small step at a time`,
        `${topic()} for people who thought it was not for them`,
        'Questions first, answers later',
        `From the first doubt to the first answer in ${topic()}`,
      ]),
    biography: () => {
      const [years, before] = [talk.number(3, 25), faker.person.jobTitle()];
      const beginning = `${first()} has taught **${topic()}** for ${years} years, ${talk.number(2, years)} of them at ${talk.subject.school.name}.`;
      return `${beginning}\n\nBefore that: ${before}, in ${faker.location.city()}. ${talk.pick(habits)}\n`;
    },
  };
}

const habits = [
  'Every course begins with what went wrong in the last one.',
  'No question is too small for the weekly office hours.',
  'Likes chalk, dislikes slides, and answers every letter.',
  'Holds that whoever explains a thing learns it twice.',
];
