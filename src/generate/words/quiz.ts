import type { Words } from '../../contract/record-drafts.ts';
import type { RecordContext } from '../record-context.ts';
import { topics, type Topic } from '../topics.ts';

interface Option {
  readonly text: string;
  readonly isRight: boolean;
}

interface Question {
  readonly type: 'SingleCorrect' | 'MultiCorrect';
  readonly title: string;
  readonly explanation: string;
  readonly options: readonly Option[];
}

/** Words about quizzes: questions with four options each, at least one of them correct. */
export function quizWords(talk: RecordContext): Words {
  // Fields are filled in the order of the schema: a question's type first, an option's text before its
  // correctness.
  let question: Question | null = null;
  let option = 0;
  const current = (): Question => (question ??= questionOf(talk));
  return {
    quizTitle: () =>
      `${talk.pick(['Check Yourself', 'Warm-Up', 'Review', 'Final Quiz'])}: ${talk.pick(talk.subject.topic.terms)[0]}`,
    questionType: () => {
      question = questionOf(talk);
      option = 0;
      return question.type;
    },
    questionTitle: () => current().title,
    explanation: () => current().explanation,
    optionText: () => current().options[option]?.text ?? '',
    optionIsRight: () => current().options[option++]?.isRight ?? false,
  };
}

function questionOf(talk: RecordContext): Question {
  return talk.number(1, 3) === 1
    ? severalRight(talk, talk.subject.topic)
    : oneRight(talk, talk.subject.topic);
}

function oneRight(talk: RecordContext, { terms }: Topic): Question {
  const { helpers } = talk.faker;
  const [asked, ...others] = helpers.shuffle(terms).slice(0, 4);
  if (asked === undefined) throw new Error('A topic without terms cannot be asked about.');
  const wrong = others.map(([, gloss]) => ({ text: gloss, isRight: false }));
  return {
    type: 'SingleCorrect',
    title: `What describes ${asked[0]} best?`,
    explanation: `${asked[0]}: ${asked[1]}.`,
    options: helpers.shuffle([{ text: asked[1], isRight: true }, ...wrong]),
  };
}

function severalRight(talk: RecordContext, topic: Topic): Question {
  const { helpers } = talk.faker;
  const stranger = talk.pick(topics.filter(({ name }) => name !== topic.name));
  const right = helpers.shuffle(topic.terms).slice(0, talk.number(2, 3));
  const wrong = helpers.shuffle(stranger.terms).slice(0, 4 - right.length);
  return {
    type: 'MultiCorrect',
    title: `Which of these belong to ${topic.name}?`,
    explanation: `The others belong to ${stranger.name}.`,
    options: helpers.shuffle([
      ...right.map(([text]) => ({ text, isRight: true })),
      ...wrong.map(([text]) => ({ text, isRight: false })),
    ]),
  };
}
