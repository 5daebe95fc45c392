import { ask, type Schemas } from '../../api.ts';
import type { Stage } from '../stage.ts';

/** Records of the demo data that the steps use. */
export const known = {
  quiz: '057ea992fc0a75d4ed8b54da',
  quizItem: '03dea7117bfddc18cabc002f',
  learner: { id: '90f6bbdc2d4cf5a2971ef1d7', email: 'grace.amissah@students.riverside-academy.example' },
  course: 'e14eab51f0b9dee5b286f9ec',
  session: '9c5b7ed6df3621555e4a6e2e',
} as const;

/** A person whom a step adds. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

export const noor: Person = { name: 'Noor Haddad', email: 'noor.haddad@riverside-academy.example' };
export const ravi: Person = { name: 'Ravi Menon', email: 'ravi.menon@riverside-academy.example' };

/** Returns the stored instructors of all schools. */
async function instructorsOf({ sandbox }: Stage): Promise<readonly Schemas['Record'][]> {
  const place = { sandboxId: sandbox, collection: 'instructors' };
  return (await ask('get', '/control/sandboxes/{sandboxId}/state/{collection}', place)).records;
}

/** Removes an instructor whom an earlier run of the step has added. */
export async function removeInstructor(stage: Stage, { name, email }: Person): Promise<void> {
  const found = (await instructorsOf(stage)).filter((record) => record['email'] === email);
  for (const { id } of found) {
    const one = { sandboxId: stage.sandbox, collection: 'instructors', recordId: String(id) };
    await ask('delete', '/control/sandboxes/{sandboxId}/state/{collection}/{recordId}', one);
  }
  if (found.length > 0) stage.note(`Removed ${name}, who was added when the step was done before.`);
}

/** Removes a rule that an earlier run of the step may have left. */
export async function removeRule({ sandbox }: Stage, ruleId: string): Promise<void> {
  const { rules } = await ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId: sandbox });
  if (rules.some(({ id }) => id === ruleId))
    await ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId: sandbox, ruleId });
}
