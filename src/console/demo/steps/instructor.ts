import { listOf, textOf } from '../output.ts';
import { noor, removeInstructor } from './known.ts';
import { outcome, type Run } from './step.ts';

const list = {
  operation: 'get-all-instructors',
  marked: { response: ['/0/output/data/instructors/*/email'] },
};

export const runInstructor: Run<'instructor'> = async (stage, captions) => {
  await removeInstructor(stage, noor);
  const before = listOf((await stage.call(captions.before, list)).output, 'instructors').length;
  stage.note(`The school has ${before} instructors.`);
  const create = {
    operation: 'create-instructor-account',
    parameters: { instructorEmail: noor.email, instructorName: noor.name },
    marked: { request: ['/data/0/data/instructorEmail'], response: ['/0/output/data/serviceInstructorId'] },
  };
  const [first, again] = [await stage.call(captions.first, create), await stage.call(captions.again, create)];
  const after = listOf((await stage.call(captions.after, list)).output, 'instructors').length;
  stage.note(`The school has ${after} instructors: one more.`);
  const ids = [first, again].map(({ output }) => textOf(output, 'serviceInstructorId'));
  return outcome(
    ids[0] !== null && ids[0] === ids[1] && after === before + 1,
    `The school had ${before} instructors before, and has ${after} now.`,
  );
};
