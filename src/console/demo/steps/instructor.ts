import { listOf, textOf } from '../output.ts';
import { noor, removeInstructor } from './known.ts';
import { outcome, type Run } from './step.ts';

const operation = 'get-all-instructors';

export const runInstructor: Run<'instructor'> = async (stage, captions) => {
  await removeInstructor(stage, noor);
  const { output } = await stage.call(captions.before, { operation });
  const before = listOf(output, 'instructors').length;
  stage.note(`The school has ${before} instructors.`);
  const create = {
    operation: 'create-instructor-account',
    parameters: { instructorEmail: noor.email, instructorName: noor.name },
    marked: { request: ['/data/0/data/instructorEmail'], response: ['/0/output/data/serviceInstructorId'] },
  };
  const both = [await stage.call(captions.first, create), await stage.call(captions.again, create)];
  const last = await stage.call(captions.after, { operation, marked: { response: [noor.name, noor.email] } });
  const after = listOf(last.output, 'instructors').length;
  stage.note(`The school has ${after} instructors.`);
  const ids = both.map((reply) => textOf(reply.output, 'serviceInstructorId') ?? 'none');
  stage.show({ kind: 'count', before, after, ids });
  return outcome(
    new Set(ids).size === 1 && after === before + 1,
    `The school had ${before} instructors before, and has ${after} now.`,
  );
};
