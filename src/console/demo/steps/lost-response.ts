import type { Schemas } from '../../api.ts';
import { pathTo } from '../../route.ts';
import { listOf, textOf } from '../output.ts';
import { ravi, removeInstructor, removeRule } from './known.ts';
import { outcome, type Run } from './step.ts';

/** A broken response, not a closed connection: browsers silently send a request again after the latter. */
const rule = {
  id: 'demo-lost-response',
  operation: 'create-instructor-account',
  fault: 'truncated-body',
  phase: 'after',
  when: { times: 1 },
} as const satisfies Schemas['NewFaultRule'];

export const runLostResponse: Run<'lost-response'> = async (stage, captions) => {
  await removeInstructor(stage, ravi);
  await removeRule(stage, rule.id);
  await stage.control(captions.rule, 'post', '/faults', rule, {
    request: ['/operation', '/fault', '/phase'],
  });
  const create = {
    operation: rule.operation,
    parameters: { instructorEmail: ravi.email, instructorName: ravi.name },
    marked: { request: ['/data/0/data/instructorEmail'], response: ['/0/output/data/serviceInstructorId'] },
  };
  const lost = await stage.call(captions.lost, create);
  await stage.pause(1050);
  const retry = await stage.call(captions.retry, create);
  stage.show({ kind: 'statuses', statuses: [lost.status, retry.status] });
  const { output } = await stage.call(captions.after, {
    operation: 'get-all-instructors',
    marked: { response: [ravi.name, ravi.email] },
  });
  const times = listOf(output, 'instructors').filter(({ email }) => email === ravi.email).length;
  stage.note(`${ravi.name} is in the list ${times === 1 ? 'once' : `${times} times`}.`);
  const look =
    lost.requestId === null ? undefined : pathTo(stage.sandbox, 'journal', { request: lost.requestId });
  const isExpected = lost.status === 0 && textOf(retry.output, 'serviceInstructorId') !== null && times === 1;
  return outcome(isExpected, `The first response was not lost, or ${ravi.name} exists ${times} times.`, look);
};
