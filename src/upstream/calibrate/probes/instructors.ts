import { good, predictBatch, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, resultOf, textAt, type Reply } from '../reply.ts';
import { pair } from './batches.ts';
import { plainReading } from './listings.ts';

const operation = 'create-instructor-account';
const names = {
  first: 'Sandbox Calibration',
  second: 'Calibration Sandbox',
  another: 'Another Calibration',
} as const;

/** Instructors that are invented for this run. */
export const instructorAccounts: readonly Probe[] = [
  {
    name: 'instructor-accounts',
    what: 'an instructor twice: with the address in capitals, with another name, and without a name; then with a host without a dot, and with a long address; and the list of instructors',
    calls: 10,
    tells: [
      'batchProcessing',
      'emailFormat',
      'emailMatching',
      'existingInstructorName',
      'emptyInstructorName',
      'listOrder',
    ],
    writes:
      'creates two to five instructor accounts named "Sandbox Calibration" or "Another Calibration", which remain',
    run: accounts,
  },
];

/** Creates an instructor, or returns the existing one. */
function create({ pace }: Scene, instructorEmail: string, instructorName: string): Promise<Reply> {
  return pace.call({ operation, elements: [{ instructorEmail, instructorName }] });
}

async function accounts(scene: Scene): Promise<Finding> {
  const email = `lp-sandbox-calibrate-${scene.stamp}@lp-sandbox.example`;
  const made = await create(scene, email, names.first);
  const id = textAt(resultOf(made), 'serviceInstructorId');
  if (id === null) return because(`creating an instructor returned ${describeReply(made)}`);
  const other = await create(scene, `another-${email}`, names.another);
  const renamed = await create(scene, email, names.second);
  const listed = await scene.pace.call({ operation: 'get-all-instructors' });
  const all = listAt(resultOf(listed), 'instructors');
  const ids = all.map((one) => textAt(one, 'serviceInstructorId'));
  const shown = textAt(all[ids.indexOf(id)], 'name');
  const order = orderIn(ids, [id, textAt(resultOf(other), 'serviceInstructorId')]);
  const unnamed = await create(scene, email, '');
  const before = await pair(
    scene,
    'batchProcessing',
    'an instructor with an empty name before one with a name',
    operation,
    [
      [{ instructorEmail: email, instructorName: '' }, unnamedFare],
      [{ instructorEmail: email, instructorName: names.first }, good],
    ],
  );
  // Restores the first name in case the service stored the second.
  await create(scene, email, names.first);
  const inCapitals = await create(
    scene,
    `LP-Sandbox-Calibrate-${scene.stamp}@lp-sandbox.example`,
    names.first,
  );
  const isSame = (result: unknown): string =>
    textAt(result, 'serviceInstructorId') === id ? 'same' : 'another';
  return {
    ...(order === null ? { lacking: { listOrder: `the school has fewer than ${enough} instructors` } } : {}),
    readings: [
      before,
      ...(await otherAddresses(scene)),
      ...(order === null
        ? []
        : [plainReading('listOrder', order, `two new instructors in a list of ${ids.length}: ${order}`)]),
      ...(shown === null || resultOf(renamed) === null
        ? []
        : [
            plainReading(
              'existingInstructorName',
              nameOption(shown),
              `an instructor created again with another name is called ${JSON.stringify(shown)}`,
            ),
          ]),
      readingOf('emptyInstructorName', 'an instructor with an empty name', unnamed, (asked) =>
        predictBatch(asked, [unnamedFare]),
      ),
      readingOf(
        'emailMatching',
        'the same address in capitals',
        inCapitals,
        (asked) => predictBatch(asked, [capitalsFare]),
        isSame,
      ),
    ],
  };
}

/** Creates instructors with addresses that only some services accept. */
async function otherAddresses(scene: Scene): Promise<readonly Reading[]> {
  const dotless = await create(scene, `lp-sandbox-calibrate-${scene.stamp}@localhost`, names.first);
  const local = `lp-sandbox-calibrate-${scene.stamp}-`.padEnd(65, 'x');
  const long = await create(scene, `${local}@lp-sandbox.example`, names.first);
  return [
    readingOf('emailFormat', 'an address at localhost', dotless, (asked) =>
      predictBatch(asked, [(one) => (one('emailFormat') === 'international' ? 'ok' : 'violation')]),
    ),
    readingOf('emailFormat', 'an address with 65 characters before the @', long, (asked) =>
      predictBatch(asked, [(one) => (one('emailFormat') === 'ascii-limited' ? 'violation' : 'ok')]),
    ),
  ];
}

/** In a list of fewer, the new instructors may be first or last by chance. */
const enough = 6;

/**
 * Returns where a list has the two instructors that were added last, as an option of `listOrder`. Their names
 * are far apart, so that an order by name has others between them.
 */
function orderIn(
  ids: readonly (string | null)[],
  [first, second]: readonly (string | null)[],
): string | null {
  if (ids.length < enough || first === null || second === null) return null;
  if (ids.at(-2) === first && ids.at(-1) === second) return 'added';
  return ids[0] === second && ids[1] === first ? 'reversed' : 'shuffled';
}

const unnamedFare: Element = (asked) => (asked('emptyInstructorName') === 'element-error' ? 'invalid' : 'ok');
const capitalsFare: Element = (asked) =>
  asked('emailMatching') === 'ignore-case' ? 'ok:same' : 'ok:another';

function nameOption(shown: string): string {
  if (shown === names.first) return 'keep';
  return shown === names.second ? 'overwrite' : 'another name';
}
