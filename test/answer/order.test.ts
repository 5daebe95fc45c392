import { describe, expect, it } from 'vitest';
import { coupon } from '../support/demo.ts';
import { world } from '../support/world.ts';

describe('the life of a call', () => {
  it('is: authenticate, then throttle, then validate, then run', { tags: ['slow'] }, async () => {
    const { sandbox, post } = await world({ clock: { mode: 'frozen', now: '2026-02-11T09:30:00Z' } });
    const bodies = {
      malformed: '{"data":[{"data":{',
      invalid: JSON.stringify({ data: [{ data: { serviceCouponCodeId: 7 } }] }),
      good: JSON.stringify({
        data: [
          {
            data: {
              serviceCouponCodeId: coupon.id,
              serviceDigitalProductId: coupon.productId,
              description: 'run',
            },
          },
        ],
      }),
    };
    const outcome = async (body: keyof typeof bodies, school = 'riverside'): Promise<string | undefined> => {
      await post('update-digital-product-coupon')
        .set('SERVICE-API-KEY', `sbx_${sandbox.id}_${school}`)
        .set('Content-Type', 'application/json')
        .send(bodies[body]);
      return (await sandbox.journal.list()).at(-1)?.outcome;
    };
    const description = async () => (await sandbox.state.get('coupons', coupon.id))?.description;
    const before = await description();

    // A stranger is turned away whatever the body, and uses nothing of the limit.
    for (let call = 0; call < 70; call += 1)
      expect(await outcome('malformed', 'nowhere')).toBe('invalid-key');
    // A malformed body and invalid parameters use up the limit, and nothing runs.
    for (let call = 0; call < 30; call += 1) expect(await outcome('malformed')).toBe('malformed');
    for (let call = 0; call < 29; call += 1) expect(await outcome('invalid')).toBe('element-error');
    expect(await description()).toBe(before);
    expect(await outcome('good')).toBe('ok');
    expect(await description()).toBe('run');
    // Over the limit nobody looks at the body; a stranger is a stranger still.
    for (const body of ['malformed', 'invalid', 'good'] as const)
      expect(await outcome(body)).toBe('throttled');
    expect(await outcome('good', 'nowhere')).toBe('invalid-key');

    await sandbox.clock.advance({ seconds: 60 });
    expect(await outcome('malformed')).toBe('malformed');
    expect(await outcome('good')).toBe('ok');
  });
});
