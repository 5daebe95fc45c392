import { onTestFinished, vi } from 'vitest';
import type { NewSandbox, SandboxHandle } from '../../src/index.ts';
import { items, labId, products, quiz } from '../support/demo.ts';
import { world } from '../support/world.ts';
import { Client, goodManners, type Manners } from './client.ts';

export type Report = Awaited<ReturnType<SandboxHandle['report']>>;

const readings = [
  { courseItemId: items.article },
  { courseItemId: items.markdown },
  { courseItemId: quiz.itemId },
];

const otherQuizId = '89a674da2cdf9bc9916fe3ae';

/** A day's work of a client: it reads, in batches too, and writes. */
async function workADay(client: Client): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await client.send('get-quiz-details', [{ quizId: quiz.id }]);
    await client.send('get-course-item-data', readings);
    await client.send('get-quiz-details', [{ quizId: quiz.id }, { quizId: otherQuizId }]);
    await client.send('update-interactive-coding-lab', [{ labId, labTitle: `Round ${round}` }]);
    await client.send('submit-user-course-item', [
      { courseItemId: items.article, userId: `learner-${round}` },
    ]);
    await client.send('create-instructor-account', [
      { instructorEmail: `new-${round}@riverside-academy.example`, instructorName: 'Noa Lind' },
    ]);
    await client.send('list-assignments', [
      { courseIdentifier: { type: 'product-id', digitalProductId: products.python } },
    ]);
  }
}

/** Reads many items, each once. */
export async function readItems(client: Client): Promise<void> {
  for (let item = 0; item < 19; item += 1)
    await client.send('get-course-item-data', [{ courseItemId: `item-${item}` }]);
}

/** What the report says of a client with these manners. */
export async function reportOn(
  manners: Partial<Manners>,
  {
    work = workADay,
    scope = null,
    ...made
  }: NewSandbox & { work?: typeof workADay; scope?: string | null } = {},
): Promise<Report> {
  const { sandbox } = await world({ clock: { mode: 'frozen' }, ...made });
  await sandbox.scope(scope);
  // However busy the machine is, whoever does not wait has not waited.
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = new Client(sandbox, { ...goodManners, ...manners });
  onTestFinished(() => client.close());
  await work(client);
  return sandbox.report();
}
