import type { Words } from '../../contract/record-drafts.ts';
import { slugOf, type RecordContext } from '../record-context.ts';

interface Exercise {
  readonly title: string;
  /** The function that learners write. */
  readonly name: string;
  readonly task: string;
  readonly tests: readonly string[];
}

const exercises: readonly Exercise[] = [
  {
    title: 'Word Counter',
    name: 'count_words',
    task: 'takes a text and returns how often each word occurs, in lower case',
    tests: [
      'count_words("") == {}',
      'count_words("a b a") == {"a": 2, "b": 1}',
      'count_words("The the") == {"the": 2}',
    ],
  },
  {
    title: 'Running Mean',
    name: 'running_mean',
    task: 'takes a list of numbers and returns the mean of all numbers up to each place',
    tests: ['running_mean([]) == []', 'running_mean([2]) == [2]', 'running_mean([1, 3]) == [1, 2]'],
  },
  {
    title: 'Longest Rise',
    name: 'longest_rise',
    task: 'takes a list of numbers and returns the length of the longest run in which each is larger than the one before',
    tests: ['longest_rise([]) == 0', 'longest_rise([3, 2]) == 1', 'longest_rise([1, 2, 3, 1]) == 3'],
  },
  {
    title: 'Tidy Names',
    name: 'tidy_name',
    task: 'takes a name in any spelling and returns it with single spaces and capital first letters',
    tests: [
      'tidy_name("ada  lovelace") == "Ada Lovelace"',
      'tidy_name("  x ") == "X"',
      'tidy_name("") == ""',
    ],
  },
];

/** Words about coding labs. */
export function labWords(talk: RecordContext): Words {
  const exercise = (): Exercise => talk.once('exercise', () => talk.pick(exercises));
  const cases = (): Iterator<string, undefined> =>
    talk.once('cases', () => talk.faker.helpers.shuffle(exercise().tests).values());
  const file = (): string => `test_${exercise().name}.py`;
  return {
    labTitle: () => `${exercise().title} for ${talk.subject.topic.name}`,
    labDescription: () => {
      const { name, task, title } = exercise();
      return `## ${title}\n\nWrite a function \`${name}\` that ${task}.\n\nPut it into \`${name}.py\`. ${talk.pick(hints)}\n`;
    },
    labRepository: () =>
      `https://git.${talk.subject.school.slug}.example/labs/${slugOf(exercise().title)}-${talk.subject.number + 1}.git`,
    labCommand: () => `python -m pytest -q tests/${file()}`,
    labTests: () => {
      const { name, tests } = exercise();
      const cases = tests.map((test, index) => `def test_${index + 1}():\n    assert ${test}\n`);
      return `from ${name} import ${name}\n\n\n${cases.join('\n\n')}`;
    },
    testCaseTitle: () => `Holds: ${cases().next().value ?? 'any other case'}`,
  };
}

const hints = [
  'Begin with the smallest case.',
  'Run the tests after every change.',
  'The standard library may be used, but try without it once.',
];
