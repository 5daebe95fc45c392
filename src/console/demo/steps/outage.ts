import type { Schemas } from '../../api.ts';
import type { Reply } from '../stage.ts';
import { known, removeRule } from './known.ts';
import { outcome, type Run } from './step.ts';

const rule = {
  id: 'demo-outage',
  operation: 'list-assignments',
  fault: 'http-error',
  with: { status: 503, 'retry-after': 1 },
  when: { times: 2 },
} as const satisfies Schemas['NewFaultRule'];

export const runOutage: Run<'outage'> = async (stage, captions) => {
  await removeRule(stage, rule.id);
  const marked = { request: ['/operation', '/with/status', '/when/times'], response: ['/matched', '/fired'] };
  await stage.control(captions.rule, 'post', '/faults', rule, marked);
  const statuses: number[] = [];
  const list = async (caption: string): Promise<Reply> => {
    const reply = await stage.call(caption, {
      operation: rule.operation,
      parameters: { courseIdentifier: { type: 'product-id', digitalProductId: known.course } },
      marked: { response: ['/0/output/errorMessage', '/0/output/data/assignments/*/assignmentTitle'] },
      headers: ['Retry-After', 'Sandbox-Fault'],
    });
    statuses.push(reply.status);
    stage.show({ kind: 'statuses', statuses: [...statuses] });
    return reply;
  };
  const wait = async ({ retryAfter }: Reply): Promise<void> => {
    const seconds = retryAfter ?? 1;
    stage.note(`The client waits for ${seconds} s.`);
    // The report counts whole milliseconds.
    await stage.pause(seconds * 1000 + 50);
  };
  await wait(await list(captions.first));
  await wait(await list(captions.second));
  await list(captions.third);
  return outcome(statuses.join() === '503,503,200', `The responses had the statuses ${statuses.join(', ')}.`);
};
