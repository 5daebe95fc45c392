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
