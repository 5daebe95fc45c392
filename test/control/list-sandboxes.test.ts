import { describe, expect, it } from 'vitest';
import { coupon } from '../support/demo.ts';
import { expectDocumented } from '../support/control.ts';
import { hosted } from '../support/hosted.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';

interface Listed {
  readonly sandboxes: readonly { readonly id: string; readonly stateBytes?: number }[];
  readonly next?: string | null;
  readonly total?: number;
}

async function list(url: string, query = ''): Promise<Listed> {
  const reply = await supertest(url).get(`/control/sandboxes${query}`).expect(200);
  expectDocumented('GET', '/control/sandboxes', reply);
  return reply.body as Listed;
}

const idsIn = ({ sandboxes }: Listed): readonly string[] => sandboxes.map(({ id }) => id);

/** The pages of a list, with what happens between them. */
async function pages(url: string, query: string, between = async (): Promise<unknown> => undefined) {
  const found: (readonly string[])[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Listed = await list(url, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(idsIn(page));
    cursor = page.next ?? null;
    await between();
  }
  return found;
}

describe('the list of sandboxes', () => {
  it('has all sandboxes and nothing else where no page is asked for', async () => {
    const { url, createSandbox } = await serve();
    for (const id of ['b', 'a', 'c']) await createSandbox({ id });
    const whole = await list(url);
    expect(Object.keys(whole)).toEqual(['sandboxes']);
    expect(idsIn(whole)).toHaveLength(4);
    expect(idsIn(whole)[0]).toBe('default');
    expect(whole.sandboxes.every((one) => !('usedAt' in one) && !('stateBytes' in one))).toBe(true);
    const page = await list(url, '?limit=1000');
    expect(idsIn(page)).toEqual(idsIn(whole));
    expect([page.next, page.total]).toEqual([null, 4]);
  });

  it('has pages in each order', { tags: ['slow'] }, async () => {
    const { url, createSandbox } = await serve();
    const made = [];
    for (const id of ['d', 'b', 'a', 'c']) {
      made.push(await createSandbox({ id }));
      // The next one has a later time.
      await new Promise((done) => setTimeout(done, 2));
    }
    await made[2]?.state.patch('coupons', coupon.id, { description: 'x'.repeat(1000) });
    await made[1]?.state.patch('coupons', coupon.id, { description: 'x'.repeat(500) });
    await made[0]?.clock.now();
    expect(await pages(url, 'order=id&limit=2')).toEqual([['a', 'b'], ['c', 'd'], ['default']]);
    expect(await pages(url, 'limit=3')).toEqual([
      ['default', 'd', 'b'],
      ['a', 'c'],
    ]);
    expect((await pages(url, 'order=size&limit=1')).slice(0, 2)).toEqual([['a'], ['b']]);
    const used = (await pages(url, 'order=used&limit=1')).flat();
    expect(used.filter((id) => id !== 'default')).toEqual(['d', 'b', 'a', 'c']);
    const sizes = (await list(url, '?order=size')).sandboxes.map(({ stateBytes }) => stateBytes ?? -1);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(sizes[0]).toBeGreaterThan(1000);
  });

  it.each(['id', 'created'])(
    'shows each sandbox that stays once, in the order %s, whatever is created and deleted meanwhile',
    { tags: ['slow'] },
    async (order) => {
      const { url, createSandbox } = await serve();
      for (let number = 10; number < 30; number += 1) await createSandbox({ id: `s${number}` });
      let at = 10;
      const found = await pages(url, `order=${order}&limit=3`, async () => {
        await supertest(url).delete(`/control/sandboxes/s${at}`);
        await createSandbox({ id: `a${at}` });
        at += 1;
      });
      const stay = Array.from({ length: 12 }, (_, number) => `s${18 + number}`);
      expect(found.flat().filter((id) => stay.includes(id))).toEqual(stay);
    },
  );

  it.each([
    ['order=name', '/order', 'must be one of id, created, used, size'],
    ['order=creatd', '/order', 'Did you mean "created"?'],
    ['limit=0', '/limit', 'must be a whole number from 1'],
    ['limit=1001', '/limit', 'must be at most 1000'],
    ['limit=ten', '/limit', 'must be a whole number from 1'],
    ['cursor=x', '/cursor', 'must be the field next of an earlier page'],
    ['cursor=WyJuYW1lIiwwLCJhIl0', '/cursor', 'must be the field next of an earlier page'],
    ['order=id&cursor=WyJzaXplIiwwLCJhIl0', '/cursor', 'belongs to the order "size"'],
    ['page=2', '/page', 'is unknown'],
  ])('refuses the query %s with a clear message', async (query, pointer, message) => {
    const { url } = await serve();
    const { body } = await supertest(url).get(`/control/sandboxes?${query}`).expect(400);
    expect(body.violations).toMatchObject([{ pointer, message: expect.stringContaining(message) as string }]);
  });

  it('is only for the operator, with pages, too', async () => {
    const server = await hosted();
    const { token } = await server.add();
    await server.ask(token, 'GET', '/control/sandboxes?limit=1').expect(403);
  });
});
