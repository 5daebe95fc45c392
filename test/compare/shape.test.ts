import { describe, expect, it } from 'vitest';
import { shapeDifferences, shapeOf } from '../../src/upstream/compare/shape.ts';

/** Returns where the records of two sides differ. */
function differing(left: readonly object[], right: readonly object[]) {
  return shapeDifferences(shapeOf([{ instructors: left }]), shapeOf([{ instructors: right }]));
}

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
});
