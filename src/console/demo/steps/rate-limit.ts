import { ask } from '../../api.ts';
import { outcome, type Run } from './step.ts';

const operation = 'get-all-live-events';
const limit = 15;

export const runRateLimit: Run<'rate-limit'> = async (stage, captions) => {
  const { sandbox } = stage;
  // The calls of earlier steps do not count, so that exactly the 16th call is refused.
  await ask('delete', '/control/sandboxes/{sandboxId}/limits/counters', { sandboxId: sandbox });
  const statuses: number[] = [];
  const add = (status: number): void => {
    statuses.push(status);
    stage.show({ kind: 'statuses', statuses: [...statuses] });
  };
  while (statuses.length < limit) add((await stage.callUnseen(operation)).status);
  const marked = { response: ['/0/output/errorMessage', '/0/output/data/liveEvents/*/name'] };
  const refused = await stage.call(captions.burst, { operation, marked, headers: ['Retry-After'] });
  add(refused.status);
  const seconds = refused.retryAfter ?? 60;
  const move = { request: ['/seconds'], response: ['/now'] };
  await stage.control(captions.advance, 'post', '/clock/advance', { seconds }, move);
  add((await stage.call(captions.again, { operation, marked })).status);
  const expected = [...Array.from({ length: limit }, () => 200), 429, 200];
  return outcome(
    statuses.join() === expected.join(),
    `The responses had the statuses ${statuses.join(', ')}.`,
  );
};
