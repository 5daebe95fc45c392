import { expect, it } from 'vitest';
import { outputsOf, type Reply } from '../../src/upstream/calibrate/reply.ts';
import { aspectsOf } from '../../src/upstream/compare/aspects.ts';

function replyWith(element: object): Reply {
  const text = JSON.stringify([element]);
  return {
    status: 200,
    header: () => null,
    headerNames: [],
    hasMark: false,
    text,
    outputs: outputsOf(text),
  };
}

it('Compare finds members beside output', () => {
  const output = { status: 'ok', data: {} };
  expect(aspectsOf('get-quiz-details', replyWith({ output, tookMs: 3 }), replyWith({ output }))).toEqual([
    { aspect: 'shape', place: '/*/tookMs', left: 'number', right: 'absent' },
  ]);
});
