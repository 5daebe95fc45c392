import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { quiz } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { world, type World } from '../support/world.ts';

interface Refusal {
  readonly detail: string;
  readonly violations: readonly { readonly pointer: string; readonly message: string }[];
}

async function refusalOf(request: Test): Promise<Refusal> {
  const { body } = await request.expect(400);
  // The contract of the control plane says so (Problem).
  return body as Refusal;
}

function control({ url, sandbox }: World, path: string): string {
  return `${url}/control/sandboxes/${sandbox.id}${path}`;
}

/** Gives the sandbox 300 schools, without any other records. */
async function fillWithSchools({ sandbox }: World): Promise<void> {
  const document = await sandbox.state.export();
  const schools = Array.from({ length: 300 }, (_, index) => ({
    id: index.toString(16).padStart(24, '0'),
    slug: `school-${index}`,
    name: `School ${index}`,
  }));
  const collections = Object.fromEntries(Object.keys(document.collections).map((name) => [name, []]));
  await sandbox.state.import({ ...document, collections: { ...collections, schools } });
}

/** A quiz with so many questions without any field. */
function wrong(length: number): object {
  return { questions: Array.from({ length }, () => ({})) };
}

/** A script of as many objects without any known field, each with as many fields. */
function script(outer: number, inner: number): object {
  const fields = Object.fromEntries(Array.from({ length: inner }, (_, index) => [`field-${index}`, 0]));
  return Object.fromEntries(Array.from({ length: outer }, (_, index) => [`object-${index}`, fields]));
}

describe('a message', () => {
  it('lists at most 50 of the unknown parameters of a query', async () => {
    const own = await world();
    const query = Array.from({ length: 2000 }, (_, index) => `p${index}`).join('&');
    const { violations, detail } = await refusalOf(supertest(control(own, '')).get(`?${query}`));
    expect(violations).toHaveLength(50);
    expect(detail).toMatch(/1,?950 more/);
  });

  it('names the first schools of very many', async () => {
    const own = await world();
    await fillWithSchools(own);
    const counts = [{ school: 'schol-7' }, { school: 'school-299' }];
    const { violations } = await refusalOf(
      supertest(control(own, '/journal')).post('/verify').send({ counts }),
    );
    expect(violations.map(({ pointer }) => pointer)).toEqual(['/counts/0/school']);
    expect(violations[0]?.message).toMatch(
      /^is not a school of the sandbox: the string "schol-7"\. Did you mean "school-7"\? The schools are school-0, .*, school-19 and others\.$/,
    );
  });

  it('has the first violation of a record with very many values, and all of a usual one', async () => {
    const own = await world();
    const path = supertest(control(own, `/state/quizzes/${quiz.id}`));
    expect((await refusalOf(path.patch('').send(wrong(3)))).violations.length).toBeGreaterThan(10);
    expect((await refusalOf(path.patch('').send(wrong(6000)))).violations).toHaveLength(1);
  });

  it('has a hint about a missing field for few names in other fields, but not for very many', async () => {
    const own = await world();
    const hintsFor = async (inner: number): Promise<readonly string[]> => {
      const { violations } = await refusalOf(
        supertest(control(own, '/scenario'))
          .put('')
          .send({ name: 'x', script: { ...script(30, inner), z: { sumary: '' }, y: { ruls: [] } } }),
      );
      return violations.map(({ message }) => message).filter((message) => message.includes('level up'));
    };
    expect(await hintsFor(10)).toHaveLength(2);
    expect(await hintsFor(99)).toEqual([]);
  });
});
