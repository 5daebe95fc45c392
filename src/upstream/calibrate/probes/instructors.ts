import { isObject } from '../../../base/is-object.ts';
import { good, predictBatch, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { describeReply, listAt, outcomeOf, resultOf, textAt, type Reply } from '../reply.ts';
import { theirs } from '../shown-text.ts';
import { besideGood } from './batches.ts';
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
    what: 'an instructor several times: with the address in capitals, with another name, with an empty name and without a name; others with an empty name and without a name; then with a host without a dot, with a long address, and with an accent; and the list of instructors',
    calls: 15,
    tells: [
      'batchProcessing',
      'emailFormat',
      'emailMatching',
      'existingInstructorName',
      'emptyInstructorName',
      'omittedInstructorName',
      'listOrder',
    ],
    writes:
      'creates two to eight instructor accounts, which are named "Sandbox Calibration" or "Another Calibration", or have no name (at most two); all of them remain',
    run: accounts,
  },
];

/** Creates an instructor, or returns the existing one. */
function create({ pace }: Scene, instructorEmail: string, instructorName: string): Promise<Reply> {
  return pace.call({ operation, elements: [{ instructorEmail, instructorName }] });
}

async function accounts(scene: Scene): Promise<Finding> {
  const nameless = await createNameless(scene);
  const email = `lp-sandbox-calibrate-${scene.stamp}@lp-sandbox.example`;
  const made = await create(scene, email, names.first);
  const id = textAt(resultOf(made), 'serviceInstructorId');
  if (id === null) return because(`creating an instructor returned ${describeReply(made)}`);
  const other = await create(scene, `another-${email}`, names.another);
  const renamed = await create(scene, email, names.second);
  const listed = await scene.pace.call({ operation: 'get-all-instructors' });
  const all = listAt(resultOf(listed), 'instructors');
  const ids = all.map((one) => textAt(one, 'serviceInstructorId'));
  const whyUnlisted = whyNotIn(listed, ids, id);
  const shown = textAt(all[ids.indexOf(id)], 'name');
  const otherId = textAt(resultOf(other), 'serviceInstructorId');
  const order = orderIn(all, [id, otherId]);
  // An address of its own: the name of an existing instructor may not be looked at.
  const unnamed = await create(scene, `unnamed-${email}`, '');
  const beside = await besideGood(scene, ['an instructor with an empty name', 'one with a name'], operation, [
    [{ instructorEmail: `unnamed-${email}`, instructorName: '' }, unnamedFare],
    [{ instructorEmail: email, instructorName: names.first }, good],
  ]);
  await createAgain(scene, email);
  // Restores the first name in case the service stored another one.
  await create(scene, email, names.first);
  const inCapitals = await create(
    scene,
    `LP-Sandbox-Calibrate-${scene.stamp}@lp-sandbox.example`,
    names.first,
  );
  const isSame = (result: unknown): string =>
    textAt(result, 'serviceInstructorId') === id ? 'same' : 'another';
  return {
    lacking: {
      ...(order === null ? { listOrder: whyUnordered(listed, ids, [id, otherId]) } : {}),
      ...(whyUnlisted === null
        ? {}
        : { existingInstructorName: whyUnlisted, omittedInstructorName: whyUnlisted }),
    },
    readings: [
      ...beside,
      ...namelessReadings(scene, nameless, all),
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
              `an instructor created again with another name is called ${theirs(JSON.stringify(shown))}`,
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

/** The local part of the address of the instructor who is created without a name. */
function namelessLocal(scene: Scene): string {
  return `nameless-lp-sandbox-calibrate-${scene.stamp}`;
}

function createNameless(scene: Scene): Promise<Reply> {
  const instructorEmail = `${namelessLocal(scene)}@lp-sandbox.example`;
  return scene.pace.call({ operation, elements: [{ instructorEmail }] });
}

/** Repeats an address with an empty name, and without one: services may check only the names of new instructors. */
async function createAgain({ pace }: Scene, instructorEmail: string): Promise<void> {
  const again: readonly (readonly [what: string, parameters: object, fare: Element])[] = [
    ['an instructor with an empty name', { instructorEmail, instructorName: '' }, unnamedFare],
    ['an instructor without a name', { instructorEmail }, namelessAgainFare],
  ];
  for (const [what, parameters, fare] of again)
    await pace.call({
      operation,
      elements: [parameters],
      sightOf: (reply) => ({
        what: `${what}, at the address of an existing one`,
        seen: outcomeOf(reply),
        expected: (asked) => predictBatch(asked, [fare]),
      }),
    });
}

/** Returns why the list of instructors does not show a new one; null if it does. */
function whyNotIn(listed: Reply, ids: readonly (string | null)[], id: string): string | null {
  if (resultOf(listed) === null) return `get-all-instructors returned ${describeReply(listed)}`;
  return ids.includes(id) ? null : 'get-all-instructors does not list the new instructor';
}

function whyUnordered(
  listed: Reply,
  ids: readonly (string | null)[],
  added: readonly (string | null)[],
): string {
  const why = added.map((id) => (id === null ? 'an instructor was not created' : whyNotIn(listed, ids, id)));
  return why.find((one) => one !== null) ?? `the school has fewer than ${enough} instructors`;
}

/**
 * Returns the reading of an instructor without a name. `all` are the instructors of the school. None if the
 * instructor was created, but is not listed: a name that cannot be read is not empty.
 */
function namelessReadings(scene: Scene, reply: Reply, all: readonly unknown[]): readonly Reading[] {
  const id = textAt(resultOf(reply), 'serviceInstructorId');
  const own = all.find((one) => textAt(one, 'serviceInstructorId') === id);
  if (resultOf(reply) !== null && (id === null || own === undefined)) return [];
  const name = textAt(own, 'name') ?? '';
  const other = name === namelessLocal(scene) ? 'local-part' : 'another name';
  return [
    readingOf(
      'omittedInstructorName',
      'an instructor without a name',
      reply,
      (asked) => predictBatch(asked, [namelessFare]),
      () => (name === '' ? 'empty' : other),
    ),
  ];
}

/** Creates instructors with addresses that only some services accept. */
async function otherAddresses(scene: Scene): Promise<readonly Reading[]> {
  const dotless = await create(scene, `lp-sandbox-calibrate-${scene.stamp}@localhost`, names.first);
  const local = `lp-sandbox-calibrate-${scene.stamp}-`.padEnd(65, 'x');
  const long = await create(scene, `${local}@lp-sandbox.example`, names.first);
  const accented = await create(scene, `lp-sandbox-calibraté-${scene.stamp}@lp-sandbox.example`, names.first);
  return [
    readingOf('emailFormat', 'an address at localhost', dotless, (asked) =>
      predictBatch(asked, [(one) => (one('emailFormat') === 'international' ? 'ok' : 'violation')]),
    ),
    readingOf('emailFormat', 'an address with an accent', accented, (asked) =>
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
  all: readonly unknown[],
  [first = null, second = null]: readonly (string | null)[],
): string | null {
  const ids = all.map((one) => textAt(one, 'serviceInstructorId'));
  if (ids.length < enough || first === null || second === null) return null;
  // A list that is behind shows nothing.
  if (!ids.includes(first) || !ids.includes(second)) return null;
  if (ids.at(-2) === first && ids.at(-1) === second) return 'added';
  if (ids[0] === second && ids[1] === first) return 'reversed';
  const field = ['name', 'email', 'createdAt', 'serviceInstructorId'].find((one) => isOrderedBy(one, all));
  return field === undefined ? 'shuffled' : `ordered by ${field}`;
}

/** Whether a list ascends or descends by a field, apart from one pair in ten: languages sort accents differently. */
function isOrderedBy(field: string, all: readonly unknown[]): boolean {
  const values = all.map((one) => (isObject(one) ? one[field] : undefined));
  const steps = values.slice(1).map((value, at) => compared(values[at], value));
  const most = (steps.length * 9) / 10;
  return [1, -1].some((direction) => steps.filter((step) => step * direction <= 0).length >= most);
}

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}

const unnamedFare: Element = (asked) => (asked('emptyInstructorName') === 'element-error' ? 'invalid' : 'ok');
const namelessFare: Element = (asked) => {
  if (asked('requiredFields') === 'all') return 'violation';
  const option = asked('omittedInstructorName');
  return option === 'element-error' ? 'invalid' : `ok:${option}`;
};
const namelessAgainFare: Element = (asked) => (asked('requiredFields') === 'all' ? 'violation' : 'ok');
const capitalsFare: Element = (asked) =>
  asked('emailMatching') === 'ignore-case' ? 'ok:same' : 'ok:another';

function nameOption(shown: string): string {
  if (shown === names.first) return 'keep';
  return shown === names.second ? 'overwrite' : 'another name';
}
