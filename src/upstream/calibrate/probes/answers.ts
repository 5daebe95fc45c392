import type { AssumptionName } from '../../../assumptions.ts';
import type { Element } from '../model/predict.ts';

/** Options selected in an answer without any are not required by most readings. */
const omittedFare: Element = (asked) => {
  if (asked('requiredFields') === 'all') return 'violation';
  return asked('omittedSelection') === 'element-error' ? 'invalid' : 'ok';
};

/** Answers to one SingleCorrect question, of which some services accept only some. */
interface AnswerTry {
  readonly about: AssumptionName;
  readonly what: string;
  /** Returns the answers without the question; it has at least two options. */
  readonly answers: (optionIds: readonly (string | null)[]) => readonly object[];
  readonly fare: Element;
}

export const answerTries: readonly AnswerTry[] = [
  {
    about: 'omittedSelection',
    what: 'an answer without newSelectedOptionIds',
    answers: () => [{}],
    fare: omittedFare,
  },
  {
    about: 'emptySelection',
    what: 'an answer whose newSelectedOptionIds is empty',
    answers: () => [{ newSelectedOptionIds: [] }],
    fare: (asked) => (asked('emptySelection') === 'element-error' ? 'invalid' : 'ok'),
  },
  {
    about: 'repeatedOption',
    what: 'an answer with the same option twice',
    answers: ([one]) => [{ newSelectedOptionIds: [one, one] }],
    fare: (asked) => (asked('repeatedOption') === 'element-error' ? 'invalid' : 'ok'),
  },
  {
    about: 'severalAnswersToSingleCorrect',
    what: 'two options of a SingleCorrect question',
    answers: ([one, other]) => [{ newSelectedOptionIds: [one, other] }],
    fare: (asked) => (asked('severalAnswersToSingleCorrect') === 'element-error' ? 'invalid' : 'ok'),
  },
  {
    about: 'repeatedQuestion',
    what: 'two answers to the same question',
    answers: ([one]) => [{ newSelectedOptionIds: [one] }, { newSelectedOptionIds: [one] }],
    fare: (asked) => (asked('repeatedQuestion') === 'element-error' ? 'invalid' : 'ok'),
  },
];
