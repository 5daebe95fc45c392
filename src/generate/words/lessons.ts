import type { Words } from '../../contract/record-drafts.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

/** Words about lessons, videos and assignments, and their creation times. */
export function lessonWords(talk: RecordContext): Words {
  const term = (): string => talk.once('term', () => talk.pick(talk.subject.topic.terms)[0]);
  const title = (): string => talk.once('title', () => titleOf(talk, term()));
  return {
    lessonTitle: title,
    lessonSlug: () => `${slugOf(title())}-${talk.subject.number + 1}`,
    lessonContent: () => contentOf(talk, term()),
    assignmentTitle: () => `${talk.pick(tasks)} ${term()}`,
    videoTitle: () =>
      `Lesson ${talk.number(1, 48)}${talk.pick(['', '', ' Screencast', ' Recap'])}: ${title()}`,
    videoFolder: () => folderOf(talk),
    createdAt: () => created(talk).toISOString(),
    updatedAt: () => new Date(created(talk).getTime() + talk.number(1, 120 * day)).toISOString(),
  };
}

const day = 86_400_000;

/** Fixed, so that the output does not depend on the current date. */
const span = { from: '2024-09-02T08:00:00.000Z', to: '2026-06-26T17:00:00.000Z' };

function created(talk: RecordContext): Date {
  return talk.once('created', () => talk.faker.date.between(span));
}

const tasks = [
  'Observe and Draw:',
  'Explain to a Friend:',
  'Find Three Examples of',
  'A Short Essay on',
  'Measure, Note, Compare:',
  'A Poster about',
];

function titleOf(talk: RecordContext, term: string): string {
  const { faker } = talk;
  return talk.pick([
    () => term,
    () => `${term} in Practice`,
    () => `${term} and ${talk.pick(talk.subject.topic.terms)[0]}`,
    () => `A Closer Look at ${term}`,
    () => `${term}: Questions and Answers`,
    () => `${term} with ${faker.person.firstName()}`,
    () => `What ${faker.person.firstName()} Got Wrong about ${term}`,
    () => `${term} in ${faker.location.city()}`,
  ])();
}

/** Content in the format of the platform's editor. */
function contentOf(talk: RecordContext, term: string): string {
  const { topic } = talk.subject;
  const gloss = topic.terms.find(([name]) => name === term)?.[1] ?? '';
  const content = [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: term }] },
    paragraph(
      `${gloss}: that is what this part of ${topic.name} is about. It takes about ${talk.number(10, 45)} minutes.`,
    ),
    paragraph(talk.pick(advice)),
  ];
  return JSON.stringify({ type: 'doc', content });
}

function paragraph(text: string): object {
  return { type: 'paragraph', content: [{ type: 'text', text }] };
}

const advice = [
  'Write down what you expect before you look at the answer, and compare afterwards.',
  'Read it once quickly, then once with a pencil.',
  'If you get stuck, put your question into words and bring it to the office hours.',
];

/**
 * Small libraries have a folder per week; large ones a folder per term and week, so that no folder grows
 * without limit.
 */
function folderOf(talk: RecordContext): string {
  const { topic, collectionSize } = talk.subject;
  if (talk.number(1, 12) === 1) return collectionSize > 500 ? `/${topic.name}/Trailers` : '/';
  const term = collectionSize > 500 ? `/Term ${talk.number(1, 16)}` : '';
  return `/${topic.name}${term}/Week ${talk.number(1, collectionSize > 500 ? 12 : 4)}${talk.pick(['', '', '/Screencasts'])}`;
}
