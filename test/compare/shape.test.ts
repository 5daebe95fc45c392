import { describe, expect, it } from 'vitest';
import { shapeDifferences, shapeOf } from '../../src/upstream/compare/shape.ts';

/** Returns where the records of two sides differ. */
function differing(left: readonly object[], right: readonly object[]) {
  return shapeDifferences(shapeOf([{ instructors: left }]), shapeOf([{ instructors: right }]));
}

const madeAt = (times: readonly unknown[]) => times.map((createdAt) => ({ createdAt }));
const ended = (session: object) => shapeOf([{ sessions: [session] }]);
const introduced = (createdAt: string, tagline: string) => [{ createdAt, tagline }];

describe('a field that only some records of the service have', () => {
  it('is a difference if the contract does not know it', () => {
    expect(differing([{ id: '1', badges: ['gold'] }, { id: '2' }], [{ id: '3' }])).toEqual([
      { pointer: '/instructors/*/badges', left: 'list or absent', right: 'absent' },
    ]);
    expect(differing([{ id: '3' }], [{ id: '1', rating: null }, { id: '2' }])).toEqual([
      { pointer: '/instructors/*/rating', left: 'absent', right: 'null or absent' },
    ]);
  });

  it('is data if the contract knows it', () => {
    expect(differing([{ id: '1', tagline: 'Hello' }, { id: '2' }], [{ id: '3' }])).toEqual([]);
  });
});

describe('a value of another type', () => {
  it.each([
    [[], {}, 'empty list', 'object'],
    ['', [1], 'empty text', 'list'],
    [[], 3, 'empty list', 'number'],
  ])('is a difference also if it is empty: %j in place of %j', (one, other, left, right) => {
    const at = [{ pointer: '', left, right }];
    expect(shapeDifferences(shapeOf([one]), shapeOf([other]))).toEqual(at);
    expect(shapeDifferences(shapeOf([other]), shapeOf([one]))).toEqual([
      { pointer: '', left: right, right: left },
    ]);
  });

  it('is none if the values of one side are empty', () => {
    expect(shapeDifferences(shapeOf([[]]), shapeOf([['a']]))).toEqual([]);
    expect(shapeDifferences(shapeOf(['']), shapeOf(['a']))).toEqual([]);
  });

  it.each([
    [['2026-01-01T00:00:00Z', 5], ['2026-01-01T00:00:00Z']],
    [
      ['2026-01-01T00:00:00Z', false],
      ['2026-01-01T00:00:00Z', null],
    ],
  ])('is a difference if the contract forbids it, whatever other records have: %j', (left, right) => {
    expect(differing(madeAt(left), madeAt(right))).toHaveLength(1);
    expect(differing(madeAt(right), madeAt(left))).toHaveLength(1);
    expect(differing(madeAt(left), madeAt(left))).toEqual([]);
  });

  it('is a difference if the other side has no value', () => {
    for (const endedAtIso of [0, {}, false])
      for (const other of [{ endedAtIso: null }, {}])
        expect(shapeDifferences(ended({ endedAtIso }), ended(other))).toHaveLength(1);
    expect(shapeDifferences(ended({ endedAtIso: '2026-01-01T00:00:00Z' }), ended({}))).toEqual([]);
  });

  it('is one if it is the empty text in place of a time, but not of any other text', () => {
    expect(differing(introduced('', ''), introduced('2026-01-01T00:00:00Z', 'Hello'))).toMatchObject([
      { pointer: '/instructors/*/createdAt', left: 'empty text' },
    ]);
  });
});
