import { expect, it } from 'vitest';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { knownRecords } from '../calibrate/second-sandbox.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();

/** The service has no submission of its user. The sandbox lacks this user, and the one it has completed the item. */
const plan = {
  probes: null,
  calls: exampleCalls().filter(({ operation }) => operation === 'submit-user-course-item'),
  known: { ...knownRecords(), userId: 'a-new-learner', userEmail: 'new@students.school.example' },
};

const refusing = { unknownUser: 'create', resubmission: 'refuse-after-completion' } as const;

it('finds no difference that depends only on what was submitted before', async () => {
  const { differences } = await two.compared(refusing, refusing, plan);
  expect(differences).toEqual([]);
});

it('still finds that only one side refuses to replace a completed submission', async () => {
  const { differences } = await two.compared({ ...refusing, resubmission: 'replace' }, refusing, plan);
  expect(differences).toContainEqual(
    expect.objectContaining({
      call: 'a-completed-quiz',
      left: 'ok',
      right: 'error',
      explanation: expect.objectContaining({ assumption: 'resubmission', instead: ['replace'] }),
    }),
  );
});

it('gives each question one option, because the questions of the sides may be of different types', () => {
  const standIns = { ...plan.known, question: { id: 'first', options: ['a', 'b'] } };
  const sent = JSON.stringify(plan.calls.map(({ request }) => request({ standIns, has: () => true })));
  expect(sent).toContain('"newSelectedOptionIds":["a"]');
  expect(sent).not.toContain('"b"');
});
