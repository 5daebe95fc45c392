import type { Keys } from '../calibrate/upstream.ts';
import { required, type PlannedCall } from './planned-call.ts';

/** Calls with the further keys of the service, if it has them: what they see of the school. None changes data. */
export function keyCalls({ second, other }: Keys): readonly PlannedCall[] {
  return [
    ...(second === null ? [] : [list('with-the-second-key', 'second')]),
    ...(other === null ? [] : [list('of-another-school', 'other'), quizOfOther]),
  ];
}

function list(call: string, key: keyof Keys): PlannedCall {
  const operation = 'get-all-instructors';
  return { operation, call, writes: false, request: () => ({ operation, key }) };
}

const quizOfOther: PlannedCall = {
  operation: 'get-quiz-details',
  call: 'quiz-with-the-key-of-another-school',
  writes: false,
  request: ({ standIns }) => ({
    operation: 'get-quiz-details',
    key: 'other',
    elements: [{ quizId: required(standIns, 'quizId') }],
  }),
};
