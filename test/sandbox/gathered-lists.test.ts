import { describe, expect, it } from 'vitest';
import { withoutPause, type SlicedWork } from '../../src/base/sliced-work.ts';
import { withAddress } from '../../src/operations/shared/with-address.ts';
import type { Collection } from '../../src/sandbox/collection.ts';
import { State } from '../../src/sandbox/state.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { schools } from '../support/demo.ts';

const demo = await readSeed('demo');
const many = 6400;

function stateWith(count: number): State {
  const state = new State(demo, 0);
  for (let number = 0; number < count; number += 1) putVideo(state, `added-${number}`);
  return state;
}

function putVideo(state: State, id: string, schoolId: string = schools.riverside): void {
  const createdAt = '2026-01-01T00:00:00Z';
  state.put('videos', { id, schoolId, folderPath: '/', createdAt, status: 'Ready', videoTitle: id });
}

function idsOf(videos: Collection<'videos'>): string[] {
  return withoutPause(videos.list('school', schools.riverside)).map(({ id }) => id);
}

/** Does the work and something else at each of its pauses. Returns their number. */
function pausing<T>(work: SlicedWork<T>, act: (pause: number) => void): { pauses: number; result: T } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done === true) return { pauses, result: step.value };
    act(pauses);
  }
}

function putUser(state: State, id: string, email: string): void {
  state.put('users', { id, schoolIds: [], email });
}

/** Finds the user with an address. */
function found(state: State, matching: 'exact' | 'ignore-case', email: string) {
  // Cast: only this assumption is asked for.
  return pausing(withAddress('users', email, { state, assume: (() => matching) as never }), () => {});
}

/** Returns a state whose users have these addresses. */
function stateOf(email: (number: number) => string): State {
  const state = new State(demo, 0);
  for (let number = 0; number < many; number += 1) putUser(state, `u-${number}`, email(number));
  return state;
}

describe('a list that is gathered', () => {
  it(
    'has the records of its first step and as many pauses, however often they change meanwhile',
    { tags: ['slow'] },
    () => {
      const state = stateWith(many);
      const videos = state.collection('videos');
      const seeded = idsOf(videos).filter((id) => !id.startsWith('added'));
      const [first = '', second = '', third = ''] = seeded;
      putVideo(state, first);
      state.remove('videos', second);
      const before = idsOf(videos).map((id) => videos.get(id));
      putVideo(state, 'added-0');
      const quiet = pausing(videos.list('school', schools.riverside), () => {});
      putVideo(state, 'added-0');
      const { pauses, result } = pausing(videos.list('school', schools.riverside), (pause) => {
        if (pause === 0) expect(quiet.pauses).toBeGreaterThan(90);
        putVideo(state, first, schools.hillcrest);
        putVideo(state, second);
        state.remove('videos', third);
        state.remove('videos', `added-${many - 1 - pause}`);
        putVideo(state, `added-${pause}`, schools.hillcrest);
        putVideo(state, `new-${pause}`);
        // It leaves and joins again.
        state.remove('videos', 'added-3000');
        putVideo(state, 'added-3000');
      });
      expect(pauses).toBe(quiet.pauses);
      expect(result.map(({ id }) => id)).toEqual(before.map((one) => one?.id));
      expect(result.filter((one, at) => one !== before[at]).map(({ id }) => id)).toEqual(['added-0']);
      const after = idsOf(videos);
      expect(after).not.toContain(first);
      expect(after).not.toContain('added-0');
      expect(after.slice(-3)).toEqual([`new-${pauses - 2}`, `new-${pauses - 1}`, 'added-3000']);
    },
  );

  it('is cached only if no change has affected it meanwhile', { tags: ['slow'] }, () => {
    const state = stateWith(many);
    const videos = state.collection('videos');
    const listing = () => videos.list('school', schools.riverside);
    const elsewhere = pausing(listing(), () => putVideo(state, 'other', schools.hillcrest)).result;
    expect(withoutPause(listing())).toBe(elsewhere);
    putVideo(state, 'added-0');
    const changed = pausing(listing(), (pause) => pause === 0 && putVideo(state, 'added-1')).result;
    expect(changed[0]).toBe(elsewhere[0]);
    expect(withoutPause(listing())).not.toBe(changed);
  });

  it(
    'is the same one for two that gather it at once, also if the one that began first is given up',
    { tags: ['slow'] },
    () => {
      const videos = stateWith(many).collection('videos');
      const [given, one, other] = Array.from({ length: 3 }, () => videos.list('school', schools.riverside));
      for (const work of [given, one, other]) work?.next();
      given?.return([]);
      if (one === undefined || other === undefined) throw new Error('There are three.');
      expect([...withoutPause(one)]).toEqual([...withoutPause(other)]);
      const last = withoutPause(videos.list('school', schools.riverside));
      expect(withoutPause(videos.list('school', schools.riverside))).toBe(last);
    },
  );

  it('is in the order of the changes, also if records had another key in between, and can be interrupted then', () => {
    const state = stateWith(many);
    const videos = state.collection('videos');
    const before = idsOf(videos);
    for (const number of [5, 3000, 2, 6000]) {
      putVideo(state, `added-${number}`, schools.hillcrest);
      putVideo(state, `added-${number}`);
    }
    const { pauses, result } = pausing(videos.list('school', schools.riverside), () => {});
    expect(result.map(({ id }) => id)).toEqual(before);
    expect(pauses).toBeGreaterThan(120);
  });
});

describe('the first record of an e-mail address', () => {
  it('is found at once, however many have it', () => {
    const { pauses, result } = found(
      stateOf(() => 'all@same.example'),
      'exact',
      'all@same.example',
    );
    expect(pauses).toBe(0);
    expect(result).toMatchObject({ id: 'u-0' });
  });

  it('is sought with pauses if it has other letter cases than most', () => {
    const state = stateOf((number) => (number === many - 1 ? 'ALL@same.example' : 'all@same.example'));
    const { pauses, result } = found(state, 'exact', 'ALL@same.example');
    expect(pauses).toBeGreaterThan(20);
    expect(result).toMatchObject({ id: `u-${many - 1}` });
    expect(found(state, 'exact', 'aLL@same.example').result).toBeUndefined();
    expect(found(state, 'ignore-case', 'aLL@same.example').result).toMatchObject({ id: 'u-0' });
  });

  it('is the one that was changed first, whatever address it had in between', () => {
    const state = stateOf(() => 'all@same.example');
    putUser(state, 'u-0', 'other@same.example');
    expect(found(state, 'exact', 'all@same.example').result).toMatchObject({ id: 'u-1' });
    putUser(state, 'u-0', 'all@same.example');
    expect(found(state, 'exact', 'all@same.example').result).toMatchObject({ id: 'u-0' });
  });
});
