import { describe, expect, it } from 'vitest';
import type { components } from '../../src/contract/generated/control.ts';
import { askControl } from '../support/control.ts';
import { coupon, quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

type Revision = components['schemas']['Revision'];

async function revisionOf({ url, sandbox }: World): Promise<Revision> {
  const { body } = await askControl(url, 'GET', `/control/sandboxes/${sandbox.id}/revision`);
  return body as Revision;
}

/** Returns the parts of a sandbox that the work has changed. */
async function changedBy(own: World, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await revisionOf(own);
  await work();
  const after = await revisionOf(own);
  return (['loadedAt', 'records', 'clock', 'assumptions', 'rules'] as const).filter(
    (part) => before[part] !== after[part],
  );
}

const describeCoupon = (description: string) => ({
  serviceCouponCodeId: coupon.id,
  serviceDigitalProductId: coupon.productId,
  description,
});

describe('the revision of a sandbox', () => {
  it('stays the same while it is only read', async () => {
    const own = await world();
    const work = async (): Promise<void> => {
      await own.call('get-quiz-details', { quizId: quiz.id });
      await own.sandbox.state.export();
      await own.sandbox.journal.clear();
    };
    expect(await changedBy(own, work)).toEqual([]);
  });

  it('changes with a call that writes, even if its response is lost or the journal is emptied', async () => {
    const own = await world();
    await own.sandbox.faults.add({ fault: 'http-error', with: { status: 503 }, phase: 'after' });
    const work = async (): Promise<void> => {
      const { status } = await own.call('update-digital-product-coupon', describeCoupon('Lost'));
      expect(status).toBe(503);
      await own.sandbox.journal.clear();
    };
    expect(await changedBy(own, work)).toEqual(['records']);
  });

  it('changes with each change by the control plane', async () => {
    const own = await world();
    const { state, clock, assumptions, faults } = own.sandbox;
    expect(await changedBy(own, () => state.patch('coupons', coupon.id, { description: 'Here' }))).toEqual([
      'records',
    ]);
    expect(await changedBy(own, () => state.remove('coupons', coupon.id))).toEqual(['records']);
    expect(await changedBy(own, () => clock.advance({ seconds: 1 }))).toEqual(['clock']);
    expect(await changedBy(own, () => assumptions.choose({ missingKey: 'http-403' }))).toEqual([
      'assumptions',
    ]);
    expect(await changedBy(own, () => faults.add({ fault: 'timeout' }))).toEqual(['rules']);
  });

  it('never comes back, not even by going back to the same records', async () => {
    const own = await world();
    const { sandbox } = own;
    const seen = new Set([(await revisionOf(own)).records]);
    await sandbox.snapshots.take('then');
    for (let times = 0; times < 3; times += 1) {
      await sandbox.state.patch('coupons', coupon.id, { description: 'Changed' });
      seen.add((await revisionOf(own)).records);
      await sandbox.snapshots.restore('then');
      seen.add((await revisionOf(own)).records);
      await sandbox.reset();
      seen.add((await revisionOf(own)).records);
    }
    expect(seen.size).toBe(10);
  });

  it('comes with the response to each change, without what others change before the next request', async () => {
    const { url, sandbox } = await world();
    const at = `/control/sandboxes/${sandbox.id}`;
    const changed = await askControl(url, 'POST', `${at}/reset`);
    await sandbox.state.patch('coupons', coupon.id, { description: 'Of somebody else' });
    const now = (await askControl(url, 'GET', `${at}/revision`)).body as Revision;
    const told = JSON.parse(changed.headers['sandbox-revision'] ?? '') as Revision;
    expect(told).toEqual({ ...now, records: now.records - 1 });
    const failed = await askControl(url, 'DELETE', `${at}/snapshots/none`);
    expect([failed.status, failed.headers['sandbox-revision']]).toEqual([404, undefined]);
    const read = await askControl(url, 'GET', `${at}/clock`);
    expect(read.headers['sandbox-revision']).toBeUndefined();
  });
});
