import { describe, expect, it } from 'vitest';
import type { AssumptionName } from '../../src/assumptions.ts';
import { isObject } from '../../src/base/is-object.ts';
import type { OperationName } from '../../src/contract/operation-types.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();
const mp4 = 'get-live-event-session-processed-mp4';

/** The number of elements in a body. */
function elementsIn(text: string): number {
  const body: unknown = text.startsWith('{"data":[') && text.endsWith('}') ? JSON.parse(text) : null;
  return isObject(body) && Array.isArray(body['data']) ? body['data'].length : 1;
}

/** The same refusal of every call, in its outputs. */
async function inOutputs(sent: Request): Promise<Response> {
  const output = { status: 'error', errorMessage: 'not in your plan' };
  const count = Math.max(1, elementsIn(await sent.text()));
  return Response.json(Array.from({ length: count }, () => ({ output })));
}

const refusals: Readonly<Record<string, (sent: Request) => Response | Promise<Response>>> = {
  'HTTP 403': () => Response.json({ message: 'not in your plan' }, { status: 403 }),
  'HTTP 404': () => Response.json({ message: 'not in your plan' }, { status: 404 }),
  'HTTP 500': () => Response.json({ message: 'not in your plan' }, { status: 500 }),
  'a page': () => new Response('<h1>Plans</h1>', { headers: { 'Content-Type': 'text/html' } }),
  'a redirect': () => new Response(null, { status: 307, headers: { Location: '/v2' } }),
  'errors in its outputs': inOutputs,
};

/** Calibrates a service that refuses every call to one operation with its key. */
function without(operation: OperationName, refuse: (sent: Request) => Response | Promise<Response>) {
  return second.calibrated(
    {},
    {
      change: (sent, reply) =>
        sent.url.endsWith(`/public/${operation}`) && sent.method === 'POST' ? refuse(sent) : reply,
    },
  );
}

describe('an operation that refuses every call shows nothing', () => {
  it.each(Object.entries(refusals))('about its limit: %s', async (_, refuse) => {
    const done = await without(mp4, refuse);
    expect(verdictOn('processedMp4RateLimit', done)).toMatchObject({
      option: null,
      why: expect.stringContaining(`mp4-limit: ${mp4} returned HTTP`) as unknown,
    });
  });

  it('about its limit if no session is known to be recorded', async () => {
    const done = await without('get-signed-url-data-for-live-event-session-playback', inOutputs);
    expect(verdictOn('processedMp4RateLimit', done)).toMatchObject({
      option: null,
      why: 'mp4-limit: found no recorded session: add liveEventSessionId to --known',
    });
    expect(verdictOn('unfinishedSession', done).option).toBeNull();
  });

  it('about the names of instructors if it is their list', async () => {
    const done = await without('get-all-instructors', () => Response.json({}, { status: 403 }));
    const names: readonly AssumptionName[] = ['omittedInstructorName', 'existingInstructorName', 'listOrder'];
    for (const name of names)
      expect(verdictOn(name, done)).toMatchObject({
        option: null,
        why: expect.stringContaining('get-all-instructors returned HTTP 403') as unknown,
      });
    expect(verdictOn('emptyInstructorName', done).option).toBe('element-error');
  });

  it.each<readonly [OperationName, readonly AssumptionName[]]>([
    [
      'submit-user-course-item',
      [
        'unknownUser',
        'emailOfKnownUser',
        'submittedItemTypes',
        'omittedSelection',
        'emptySelection',
        'repeatedOption',
        'severalAnswersToSingleCorrect',
        'repeatedQuestion',
        'resubmission',
      ],
    ],
    ['get-video-library', ['nullFields', 'videoPageSize', 'unknownFolder']],
    ['get-instructor-permission-presets', ['limitBelowOne', 'fractionalLimit', 'presetPageSize']],
    [
      'update-digital-product-coupon',
      ['couponTypes', 'percentOffRange', 'redemptionsRange', 'dateTimeFormat'],
    ],
    ['create-instructor-account', ['emptyInstructorName', 'emailFormat', 'emailMatching']],
  ])('about what %s accepts', async (operation, names) => {
    const done = await without(operation, inOutputs);
    expect(names.map((name) => [name, verdictOn(name, done).option])).toEqual(
      names.map((name) => [name, null]),
    );
    // All other calls show what they show otherwise.
    const shown = done.verdicts.filter(
      ({ name, option }) => option !== null && option !== done.options[name],
    );
    expect(shown).toEqual([]);
  });
});
