import type { Prediction } from '../model/ask.ts';
import type { Reading } from '../model/infer.ts';
import { good, predictBatch, violating } from '../model/predict.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { outcomeOf, type Reply } from '../reply.ts';
import { goodElement, strangeId, type GoodElement } from '../school.ts';
import type { Request } from '../upstream.ts';
import { ofEveryFailure, pair } from './batches.ts';

/**
 * Parameters of wrong types, in several operations: a service may check them in some only. A number as an identifier
 * may just be an unknown identifier to it, so that alone proves nothing.
 */
export const wrongTypes: readonly Probe[] = [
  {
    name: 'wrong-type',
    what: 'text as the number of a page, and a number as an identifier, the latter also in batches of two',
    calls: 8,
    tells: ['invalidParameters', 'failureMessages', ...ofEveryFailure],
    run: findWrongTypes,
  },
];

/** The response to a parameter of a wrong type. */
interface Tried {
  readonly reading: Reading;
  /** The status, and the outputs if there are some. Only a gateway refuses in another form. */
  readonly seen: string;
  /** Whether the service may just take the parameter for an unknown identifier. */
  readonly isAmbiguous: boolean;
}

/** Stands for the identifier of a quiz, if the school shows no identifier at all. */
const placeholder = '66a1f0c2d4e5b69788100000';

const expected: Prediction = (asked) => predictBatch(asked, [violating]);

async function findWrongTypes(scene: Scene): Promise<Finding> {
  const { school, known } = scene;
  const { good: element } = school;
  const [byId, quiz] = [
    element === null ? null : await tryId(scene, element),
    await tryId(scene, goodElement('get-quiz-details', 'quizId', known.quizId ?? element?.id ?? placeholder)),
  ];
  const isSame = element?.operation === 'get-quiz-details';
  const tried = [...(byId === null || isSame ? [] : [byId]), quiz, ...(await tryPages(scene))];
  const [first = quiz, ...others] = tried;
  if (others.some(({ seen }) => seen !== first.seen)) return { readings: [differing(tried)] };
  if (tried.every(({ isAmbiguous }) => isAmbiguous))
    return because('the service may take a number for an unknown identifier, and no page could be read');
  return {
    readings: [
      ...tried.map(({ reading }) => reading),
      ...(element === null ? [] : await inBatches(scene, element)),
    ],
    ...(element === null ? { missing: school.unread.good } : {}),
  };
}

/** Sends a number in place of an identifier, and one that no record has. */
async function tryId(scene: Scene, { operation, naming, id, field }: GoodElement): Promise<Tried> {
  const strange = await scene.pace.call({ operation, elements: [naming(strangeId(id))] });
  const what = `a number as ${field} of ${operation}`;
  const tried = await tryOne(scene, what, field, { operation, elements: [naming(42)] });
  return { ...tried, isAmbiguous: tried.seen === briefly(strange) };
}

/** Sends text in place of the number of a page. */
async function tryPages(scene: Scene): Promise<readonly Tried[]> {
  const { presets, library } = scene.school;
  const tried: Tried[] = [];
  if (presets !== null) {
    const operation = 'get-instructor-permission-presets';
    const elements = [{ pageNumber: 'one', limit: 10 }];
    const what = `text as pageNumber of ${operation}`;
    tried.push(await tryOne(scene, what, 'pageNumber', { operation, elements }));
  }
  if (library !== null) {
    const operation = 'get-video-library';
    const elements = [{ filterTerm: '', pageNumber: String(library.firstPage), folderPath: '' }];
    const what = `text as pageNumber of ${operation}`;
    tried.push(await tryOne(scene, what, 'pageNumber', { operation, elements }));
  }
  return tried;
}

async function tryOne(scene: Scene, what: string, field: string, request: Request): Promise<Tried> {
  const reply = await scene.pace.call({
    ...request,
    sightOf: (sent) => ({ what, seen: outcomeOf(sent), expected }),
  });
  noteMessage(scene, `for ${what}`, reply, [field]);
  const reading = readingOf('invalidParameters', what, reply, expected);
  return { reading, seen: briefly(reply), isAmbiguous: false };
}

/** The form of a refusal says nothing about its reason. */
function briefly(reply: Reply): string {
  return outcomeOf(reply).replace(/ !.*$/, '');
}

/** The reading of operations that differ, which no option explains. */
function differing(tried: readonly Tried[]): Reading {
  return {
    about: 'invalidParameters',
    words: `operations differ: ${tried.map(({ reading }) => reading.words).join('; ')}`,
    seen: 'operations differ',
    expected,
  };
}

async function inBatches(
  scene: Scene,
  { operation, parameters, naming, field }: GoodElement,
): Promise<readonly Reading[]> {
  const what = `a number as ${field}`;
  return [
    await pair(scene, 'invalidParameters', `${what}, after a valid element`, operation, [
      [parameters, good],
      [naming(42), violating],
    ]),
    await pair(scene, 'batchProcessing', `${what}, before a valid element`, operation, [
      [naming(42), violating],
      [parameters, good],
    ]),
  ];
}
