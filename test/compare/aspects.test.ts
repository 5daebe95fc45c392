import { expect, it } from 'vitest';
import { outputsOf, type Reply } from '../../src/upstream/calibrate/reply.ts';
import { aspectsOf } from '../../src/upstream/compare/aspects.ts';

function replyWith(...elements: readonly object[]): Reply {
  const text = JSON.stringify(elements);
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

function failed(errorMessage: unknown) {
  return { output: { status: 'error', errorMessage } };
}

it('Compare finds a failure whose message is no text, also among others', () => {
  for (const wrong of [5, {}, ['No.']])
    expect(
      aspectsOf(
        'get-quiz-details',
        replyWith(failed('No.'), failed(wrong)),
        replyWith(failed('No.'), failed('No.')),
      ),
    ).toMatchObject([{ aspect: 'shape', place: '/*/output/errorMessage' }]);
});
