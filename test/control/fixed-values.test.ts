import { describe, expect, it } from 'vitest';
import type { components } from '../../src/contract/generated/control.ts';
import { askControl } from '../support/control.ts';
import { quiz } from '../support/demo.ts';
import { resultOf, world, type World } from '../support/world.ts';

type FixedValues = components['schemas']['AssumptionList']['fixedValues'];

async function fixedIn({ url, sandbox }: World): Promise<FixedValues> {
  const { body } = await askControl(url, 'GET', `/control/sandboxes/${sandbox.id}/assumptions`);
  return (body as components['schemas']['AssumptionList']).fixedValues;
}

describe('the values that the API returns whatever the records have', () => {
  it('are those that the operations return', async () => {
    const own = await world();
    const fixed = await fixedIn(own);
    const valueOf = (collection: string, field: string) =>
      fixed.find((one) => one.collection === collection && one.field === field)?.value;
    const { videoData } = resultOf(await own.call('get-video-library'));
    const { liveEvents } = resultOf(await own.call('get-all-live-events'));
    const { courseItemData } = resultOf(
      await own.call('get-course-item-data', { courseItemId: quiz.itemId }),
    );
    const everyVideo = { status: valueOf('videos', 'status') };
    const everyEvent = { type: valueOf('liveEvents', 'type'), status: valueOf('liveEvents', 'status') };
    for (const video of videoData as readonly object[]) expect(video).toMatchObject(everyVideo);
    for (const event of liveEvents as readonly object[]) expect(event).toMatchObject(everyEvent);
    expect(courseItemData).toMatchObject({ type: valueOf('courseItems', 'type') });
    expect(fixed).toHaveLength(4);
    expect(new Set(fixed.map(({ assumption }) => assumption))).toEqual(new Set(['openValues']));
  });

  it('are none if the API returns those of the records', async () => {
    expect(await fixedIn(await world({ assumptions: { openValues: 'plausible' } }))).toEqual([]);
  });
});
