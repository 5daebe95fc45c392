import { describe, expect, it } from 'vitest';
import { withoutPause, type SlicedWork } from '../../src/base/sliced-work.ts';
import { State } from '../../src/sandbox/state.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { instructors, learner, schools } from '../support/demo.ts';

const seed = await readSeed('demo');

function namesIn({ schools: changed = [] }: ReturnType<State['changes']>): string[] {
  return changed.flatMap((one) => (typeof one === 'string' || !('name' in one) ? [] : [one.name ?? '']));
}

describe('a change that may still be undone', () => {
  it.each([true, false])(
    'is none of the changes to be kept before its work is over: it stands: %s',
    (stands) => {
      const state = new State(seed, 0);
      const told: string[][] = [];
      const names = (): string[] => namesIn(state.changes());
      state.put('schools', { id: 'first', slug: 'first', name: 'First' });
      state.store = (changes) => void told.push(namesIn(changes));
      const work = function* (): SlicedWork<boolean> {
        state.put('schools', { id: 'first', slug: 'first', name: 'Renamed' });
        state.put('schools', { id: 'second', slug: 'second', name: 'Second' });
        state.put('schools', { id: 'second', slug: 'second', name: 'Again' });
        state.remove('schools', schools.riverside);
        yield;
        expect(state.collection('schools').get('second')).toMatchObject({ name: 'Again' });
        expect(state.changes()).toMatchObject({
          schools: [{ id: 'first', name: 'First' }],
        });
        return stands;
      };
      withoutPause(state.attempt(work()));
      expect(told).toEqual(stands ? [['Renamed', 'Again']] : []);
      expect(names()).toEqual(stands ? ['Renamed', 'Again'] : ['First']);
    },
  );
});

describe('a change that is undone', () => {
  it('leaves no trace in the lists that were read meanwhile, of the old key and of the new one', () => {
    const state = new State(seed, 0);
    const users = state.collection('users');
    const before = users.get(learner.id);
    if (before === undefined) throw new Error('The demo seed lacks its learner.');
    const listed = users.where('email', learner.email);
    const work = function* (): SlicedWork<boolean> {
      state.put('users', { ...before, email: 'hana@elsewhere.example' });
      expect(users.where('email', learner.email)).toEqual([]);
      expect(users.where('email', 'hana@elsewhere.example')).toHaveLength(1);
      yield;
      return false;
    };
    expect(withoutPause(state.attempt(work()))).toBe(false);
    expect(users.where('email', learner.email)).toEqual(listed);
    expect(users.where('email', 'hana@elsewhere.example')).toEqual([]);
    expect(state.changes()).toEqual({});
  });

  it('keeps the place of its record among those of the seed', () => {
    const state = new State(seed, 0);
    const collection = state.collection('instructors');
    const order = collection.where('school', schools.riverside).map(({ id }) => id);
    const known = collection.get(instructors.riverside.id);
    if (known === undefined) throw new Error('The demo seed lacks its instructor.');
    const work = function* (): SlicedWork<boolean> {
      state.put('instructors', { ...known, schoolIds: [schools.hillcrest] });
      expect(collection.where('school', schools.riverside)).toHaveLength(order.length - 1);
      yield;
      return false;
    };
    expect(withoutPause(state.attempt(work()))).toBe(false);
    expect(collection.where('school', schools.riverside).map(({ id }) => id)).toEqual(order);
  });

  it('goes back to its place among other changes', () => {
    const state = new State(seed, 0);
    for (const id of ['one', 'two', 'three']) state.put('schools', { id, slug: id, name: id });
    const work = function* (): SlicedWork<boolean> {
      state.remove('schools', 'one');
      state.put('schools', { id: 'one', slug: 'one', name: 'again' });
      state.remove('schools', 'two');
      expect([...state.collection('schools').changes.keys()]).toEqual(['three', 'one']);
      yield;
      return false;
    };
    expect(withoutPause(state.attempt(work()))).toBe(false);
    expect([...state.collection('schools').changes.keys()]).toEqual(['one', 'two', 'three']);
    expect(namesIn(state.changes())).toEqual(['one', 'two', 'three']);
  });
});
