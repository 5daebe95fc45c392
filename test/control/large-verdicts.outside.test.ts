import { describe, expect, it } from 'vitest';
import { judging } from '../../src/control/verify.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';
import { world, type World } from '../support/world.ts';

const depth = 850;
const name = 'k'.repeat(60);

/** A text of JSON in as many objects, each with one member. */
function nested(inner: string): string {
  return `{"${name}":`.repeat(depth) + inner + '}'.repeat(depth);
}

function object(members: number, member: (index: number) => string): string {
  return `{${Array.from({ length: members }, (_, index) => member(index)).join()}}`;
}

/** A sandbox with this body in its journal. */
async function withBody(body: string): Promise<World> {
  const own = await world();
  await own
    .post('get-quiz-details')
    .set('SERVICE-API-KEY', own.sandbox.apiKey('riverside'))
    .set('Content-Type', 'application/json')
    .send(body);
  return own;
}

/** The nearest misses of the bodies, and the length of the whole verdict in JSON. */
async function judged({ sandbox }: World, bodies: readonly string[]) {
  // Each body is an object.
  const counts = bodies.map((body) => ({ body: JSON.parse(body) as Record<string, unknown> }));
  const verdict = withoutPause(judging(await sandbox.journal.list(), { counts }));
  return {
    misses: verdict.counts.flatMap(({ nearest }) => nearest ?? []),
    length: JSON.stringify(verdict).length,
  };
}

describe('a verdict', () => {
  it('is short for many differences in a deep body, and counts those that it does not list', async () => {
    const own = await withBody(nested(object(5, (place) => `"${place}":{}`)));
    const wide = object(5, (place) => `"${place}":${object(2000, (index) => `"${index}":1`)}`);
    const { misses, length } = await judged(own, [nested(wide)]);
    const listed = misses.map(({ differences }) => differences.length);
    expect(listed[0]).toBeGreaterThan(100);
    expect(misses.map(({ unlisted = 0 }, index) => unlisted + (listed[index] ?? 0))).toEqual([10_000]);
    expect(length).toBeLessThan(500_000);
  });

  it('is short for many expectations of deep bodies, each of which has a difference', async () => {
    const own = await withBody(nested('{}'));
    const bodies = Array.from({ length: 30 }, () => nested(object(100, (index) => `"${index}":1`)));
    const { misses, length } = await judged(own, bodies);
    expect(misses).toHaveLength(30);
    expect(misses.every(({ differences }) => differences.length > 0)).toBe(true);
    for (const { differences, unlisted = 0 } of misses) expect(differences.length + unlisted).toBe(100);
    expect(length).toBeLessThan(500_000);
  });

  it('has … for the names in the middle of a long pointer, and lists all of a few differences', async () => {
    const own = await withBody(nested('{"a":1}'));
    const { misses } = await judged(own, [nested('{"a":2}')]);
    const around = `/${name}`.repeat(8);
    const at = `/body${around.slice(0, 61 * 8)}/…${around}/a`;
    expect(misses.map(({ differences }) => differences)).toEqual([[{ at, expected: 2, actual: 1 }]]);
    expect(misses[0]).not.toHaveProperty('unlisted');
  });
});
