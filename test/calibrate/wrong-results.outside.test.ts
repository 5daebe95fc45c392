import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import { derivedId } from '../../src/sandbox/random.ts';
import { openPointDifferences } from '../../src/upstream/compare/open-points.ts';
import { isPossible } from '../../src/upstream/compare/right-causes.ts';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** A JSON reply, with another value for every member that `change` knows. */
async function withMembers(
  reply: Response,
  change: (name: string, value: unknown) => unknown,
): Promise<Response> {
  const text = await reply.text();
  if (!text.startsWith('[')) return new Response(text || null, reply);
  const body = JSON.stringify(JSON.parse(text), (name, value: unknown) => change(name, value));
  return new Response(body, { status: reply.status, headers: reply.headers });
}

function withoutZone(name: string, value: unknown): unknown {
  return name === 'scheduledStartAtIso' && typeof value === 'string' ? value.replace(/\.000Z$/, '') : value;
}

/** Whether this is an instructor that `calibrate` has created. */
function isNew(one: unknown): boolean {
  return isObject(one) && String(one['name']).endsWith('Calibration') && 'serviceInstructorId' in one;
}

/** Calibrates a service whose replies have other values in some members. */
function calibratedWith(change: (name: string, value: unknown) => unknown) {
  return second.calibrated({}, { change: (_, reply) => withMembers(reply, change) });
}

/** Calibrates a service that allows pages of other origins: in its calls, or only in preflight requests. */
function calibratedForPages(isInCalls: boolean) {
  return second.calibrated(
    { cors: 'any-origin' },
    {
      change: (sent, reply) => {
        if (sent.method !== 'POST' || isInCalls) return reply;
        const headers = new Headers(reply.headers);
        headers.delete('access-control-allow-origin');
        return new Response(reply.body, { status: reply.status, headers });
      },
    },
  );
}

describe('lp-sandbox calibrate is not wrong about', () => {
  it('pages of other origins, if only the preflight request allows them', async () => {
    expect(verdictOn('cors', await calibratedForPages(true)).option).toBe('any-origin');
    expect(verdictOn('cors', await calibratedForPages(false))).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /^the service matches none of the options: a preflight request: .*; the call itself: .*; it allows no other origin$/,
      ) as unknown,
    });
  });

  it('the headers of the earlier draft, which are not none', async () => {
    const done = await second.calibrated(
      {},
      {
        change: (_, reply) => {
          const headers = new Headers(reply.headers);
          headers.set('RateLimit-Reset', '60');
          return new Response(reply.body, { status: reply.status, headers });
        },
      },
    );
    expect(verdictOn('rateLimitHeaders', done).option).toBe('ratelimit');
  });

  it('those headers where a gateway responds in place of the service', async () => {
    const done = await second.calibrated(
      {},
      {
        change: (sent, reply) =>
          sent.url.endsWith('get-all-instructors') ? Response.json({}, { status: 400 }) : reply,
      },
    );
    expect(verdictOn('rateLimitHeaders', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/^instructors: get-all-instructors returned HTTP 400/),
    });
  });

  it('the order of a list that does not have the new instructors yet', async () => {
    const done = await calibratedWith((name, value) =>
      name === 'instructors' && Array.isArray(value) ? value.filter((one) => !isNew(one)) : value,
    );
    expect(verdictOn('listOrder', done)).toMatchObject({
      option: null,
      why: 'instructor-accounts: get-all-instructors does not list the new instructor',
    });
  });

  it.each([
    ['null', null, 'null'],
    ['a number', 1_795_000_000, null],
  ])('the end of a session that is %s: it is not omitted', async (_, end, option) => {
    const done = await second.calibrated(
      {},
      {
        change: (sent, reply) =>
          sent.url.endsWith('get-all-live-events')
            ? withMembers(reply, (__, value) =>
                isObject(value) && 'scheduledStartAtIso' in value ? { ...value, endedAtIso: end } : value,
              )
            : reply,
      },
    );
    expect(verdictOn('unendedSessionEnd', done).option).toBe(option);
  });

  it('the address of a known user where learners and instructors have different ids', async () => {
    const done = await calibratedWith((name, value) =>
      name === 'associatedServiceUserId' ? derivedId('instructor', String(value)) : value,
    );
    expect(verdictOn('emailOfKnownUser', done)).toMatchObject({
      option: null,
      left: ['keep', 'update'],
      why: 'submissions: learners and instructors have different ids, so the stored address is not visible',
    });
  });

  it.each([
    [400, 'text/html'],
    [400, 'text/plain'],
    [502, 'application/json'],
  ])("messages, where every failure is a gateway's page: HTTP %i, %s", async (status, type) => {
    const body = type === 'application/json' ? '{"message":"Bad gateway"}' : '<h1>Bad request</h1>';
    const done = await second.calibrated(
      {},
      {
        change: async (sent, reply) => {
          const text = await reply.clone().text();
          const isFailure = reply.status >= 400 || text.includes('"status":"error"');
          if (!isFailure || sent.method !== 'POST') return reply;
          return new Response(body, { status, headers: { 'Content-Type': type } });
        },
      },
    );
    expect(verdictOn('failureMessages', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/^messages: no failure came with a message of the service/),
    });
  });

  it('failures, where one refusal of the whole call covers every invalid value', async () => {
    const done = await second.calibrated(
      { invalidParameters: 'http-400', refusalBody: 'message-json', fractionalLimit: 'refuse' },
      {
        change: async (sent, reply) => {
          if (sent.method !== 'POST' || reply.status !== 200) return reply;
          const [, message = 'found'] =
            /"status":"error","errorMessage":"([^"]*)"/.exec(await reply.clone().text()) ?? [];
          return /found|no |unknown/i.test(message)
            ? reply
            : Response.json({ message: 'Invalid request' }, { status: 400 });
        },
      },
    );
    const options = (
      ['invalidParameters', 'operationFailureStatus', 'batchProcessing', 'unknownId'] as const
    ).map((name) => verdictOn(name, done).option);
    expect(options).toEqual(['http-400', 'always-200', 'each-in-order', 'element-error']);
    expect(verdictOn('limitBelowOne', done)).toMatchObject({
      option: null,
      why: 'one refusal of the whole call covers every invalid value, while the sandbox reports this one in its output: a limit of 0, page 1: HTTP 400, application/json: "Invalid request"',
      oddity: 'contradictory',
    });
    // So compare recommends no option.
    const sandbox = done.verdicts.map((one) => ({ ...one, option: 'keep', left: ['keep'], oddity: null }));
    const differences = openPointDifferences({ service: done.verdicts, sandbox }, done);
    expect(differences.find(({ what }) => what === 'limitBelowOne')?.explanation?.instead).toEqual([]);
    const isRight = isPossible(done.verdicts);
    const { left } = verdictOn('limitBelowOne', done);
    expect(left.filter((option) => isRight({ assumption: 'limitBelowOne', option }))).toEqual([]);
  });

  it('what the sandbox does with a conflict, where the service refuses it like every invalid value', async () => {
    const done = await second.calibrated(
      {
        invalidParameters: 'http-422',
        operationFailureStatus: 'by-kind',
        operationFailureBody: 'as-refusals',
        refusalBody: 'message-json',
        unknownId: 'http-404',
      },
      {
        change: async (sent, reply) => {
          const text = await reply.clone().text();
          const isFailure = reply.status === 409 || text.includes('"status":"error"');
          return isFailure && sent.method === 'POST' && !sent.url.endsWith('/get-all-instructors')
            ? Response.json({ message: 'Invalid request' }, { status: 422 })
            : reply;
        },
      },
    );
    expect(verdictOn('ruleFailureStatus', done).option).toBe('by-kind');
    expect(verdictOn('unfinishedSession', done).why).toBe(
      'one refusal of the whole call covers every invalid value, while the sandbox returns HTTP 409 for this one: a future session: HTTP 422, application/json: "Invalid request"',
    );
  });

  it('the size of a body that a gateway refuses, where other malformed bodies have an error in the output', async () => {
    const done = await second.calibrated(
      { malformedBody: 'output-error', maxPayload: '100kb' },
      {
        leftOut: ({ name }) =>
          /^(service|live-events|an-identifier|malformed-body|large-body)$/.test(name) ? null : 'not needed',
        change: async (sent, reply) =>
          (await sent.text()).length > 102_400
            ? Response.json({ Message: 'Too large' }, { status: 413 })
            : reply,
      },
    );
    expect(verdictOn('malformedBody', done).option).toBe('output-error');
    expect(verdictOn('maxPayload', done)).toMatchObject({ option: '100kb', why: null });
    expect(done.departures).toContainEqual({
      what: 'the refusal of a body that is too large',
      service: '413',
      sandbox: '200 error',
      count: 1,
    });
  });
});

const withoutPresetCount: Change = async (_, reply) =>
  new Response((await reply.text()).replaceAll('"totalPresetCount"', '"total"') || null, reply);

/** A service that takes a number for an unknown identifier, and whose answer to text as a page is another one. */
function calibratedWithLaxTypes(pages: (operation: string) => Response | null) {
  return second.calibrated(
    { invalidParameters: 'http-422' },
    {
      change: async (sent, reply) => {
        const text = sent.method === 'POST' ? await sent.clone().text() : '';
        if (/Id":42/.test(text)) {
          const outputs = [...text.matchAll(/"data":\{/g)].map(() => ({
            output: { status: 'error', errorMessage: 'found no such record' },
          }));
          return Response.json(outputs);
        }
        return (/"pageNumber":"/.test(text) ? pages(sent.url.split('/').at(-1) ?? '') : null) ?? reply;
      },
    },
  );
}

describe('lp-sandbox calibrate does not take a number for an unknown identifier, and', () => {
  it('quotes the operation that accepts text as a page', async () => {
    const done = await calibratedWithLaxTypes(() => Response.json([{ output: { status: 'ok', data: {} } }]));
    expect(verdictOn('invalidParameters', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /^the service matches none of the options: operations differ: a number as digitalProductId of list-assignments: HTTP 200, output error.*; text as pageNumber of get-instructor-permission-presets: HTTP 200, output ok; text as pageNumber of get-video-library: HTTP 200, output ok$/,
      ) as unknown,
    });
    expect(done.departures).toContainEqual(
      expect.objectContaining({
        what: 'text as pageNumber of get-video-library',
        service: '200 ok',
      }),
    );
  });

  it('says that operations differ, if only some refuse the call', async () => {
    const done = await calibratedWithLaxTypes((operation) =>
      operation === 'get-video-library' ? Response.json([{ output: { status: 'ok', data: {} } }]) : null,
    );
    expect(verdictOn('invalidParameters', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /operations differ: .*permission-presets: HTTP 422, .*library: HTTP 200/,
      ) as unknown,
    });
    expect(verdictOn('batchProcessing', done).option).toBe('each-in-order');
    expect(verdictOn('operationFailureStatus', done).option).toBe('always-200');
  });

  it('does not determine the option if it can read no page, and writes nothing', async () => {
    const done = await second.calibrated(
      {},
      {
        leftOut: ({ writes }) => (writes === undefined ? null : 'writes'),
        change: (sent, reply) =>
          /presets|library/.test(sent.url) && sent.method === 'POST' && reply.status === 200
            ? Response.json([{ output: { status: 'error', errorMessage: 'This school has none.' } }])
            : reply,
      },
    );
    expect(verdictOn('invalidParameters', done)).toMatchObject({
      option: null,
      why: 'wrong-type: the service may take a number for an unknown identifier, and no page could be read',
    });
  });
});

describe('lp-sandbox calibrate says why it cannot read', () => {
  it('a number that is a text', async () => {
    const done = await calibratedWith((name, value) =>
      /^total(Results|PresetCount)$/.test(name) ? String(value) : value,
    );
    // The videos are counted, and so are the presets.
    expect(verdictOn('presetPageSize', done).option).toBe('20');
  });

  it.each([
    ['0', 'empty-list', '10', 'default-page-size', 'round'],
    ['1', 'element-error', '20', 'element-error', 'floor'],
  ] as const)(
    'the number of permission presets, and counts them (first page %s, %s)',
    async (firstPageNumber, pageOutOfRange, presetPageSize, limitBelowOne, fractionalLimit) => {
      const options = {
        firstPageNumber,
        pageOutOfRange,
        presetPageSize,
        limitBelowOne,
        fractionalLimit,
        permissionShape: 'objects',
      } as const;
      const done = await second.calibrated(options, { change: withoutPresetCount });
      const names = Object.keys(options) as (keyof typeof options)[];
      expect(Object.fromEntries(names.map((name) => [name, verdictOn(name, done).option]))).toEqual(options);
    },
  );

  it('what a limit does, if the school has no permission presets', async () => {
    const done = await calibratedWith((name, value) =>
      name === 'presets' ? [] : ({ totalPresetCount: 0 }[name] ?? value),
    );
    expect(verdictOn('fractionalLimit', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/: the school has 0 permission presets; it takes 3$/) as unknown,
    });
  });

  it('the number of permission presets, if every page has the same ones', async () => {
    const done = await second.calibrated(
      { permissionShape: 'objects' },
      {
        change: async (sent, reply) => {
          const same = await withoutPresetCount(sent, reply);
          if (!sent.url.endsWith('presets') || sent.method !== 'POST') return same;
          const data = { presets: [{ requiresResourceIds: true, permissionSets: [] }] };
          return Response.json([{ output: { status: 'ok', data } }]);
        },
      },
    );
    for (const name of ['presetPageSize', 'limitBelowOne', 'fractionalLimit'] as const)
      expect(verdictOn(name, done)).toMatchObject({
        option: null,
        why: expect.stringContaining(
          'pages 0 and 1 have the same presets, so its pages do not show where the list ends',
        ) as unknown,
      });
  });

  it.each(['totalResults', 'pageSize'])('%s of videos, but still reads what the pages have', async (name) => {
    const options = {
      folderMatching: 'recursive',
      folderListing: 'all-folders',
      filterMatching: 'prefix',
      unknownFolder: 'empty-list',
      pageOutOfRange: 'element-error',
      filteredFolders: 'with-matches',
    } as const;
    const change: Change = async (_, reply) => {
      const text = await reply.text();
      return new Response(text.replaceAll(`"${name}"`, '"other"') || null, reply);
    };
    const done = await second.calibrated(options, { change });
    const found = (Object.keys(options) as (keyof typeof options)[]).map((one) => [
      one,
      verdictOn(one, done).option,
    ]);
    expect(Object.fromEntries(found)).toEqual(options);
    expect(verdictOn('firstPageNumber', done).option).toBe('1');
    expect(verdictOn('videoPageSize', done).option).toBe(name === 'pageSize' ? null : '20');
  });

  it('the number of videos, and takes no full page for all of them', async () => {
    const done = await second.calibrated(
      { videoPageSize: '10', filterMatching: 'substring' },
      {
        change: async (_, reply) =>
          new Response((await reply.text()).replaceAll('"totalResults"', '"other"') || null, reply),
      },
    );
    const wrong = done.verdicts.filter(
      ({ name, option }) => option !== null && option !== done.options[name],
    );
    expect(wrong).toEqual([]);
    expect(verdictOn('videoPageSize', done).option).toBe('10');
  });

  it('a start without a time zone, unless it lies ahead in every zone', async () => {
    const done = await calibratedWith(withoutZone);
    expect(verdictOn('unendedSessionEnd', done).option).toBe('omitted');
    expect(verdictOn('unfinishedSession', done).option).toBe('element-error');
    const near = await calibratedWith((name, value) =>
      name === 'scheduledStartAtIso' ? '2026-11-20T18:00:00' : value,
    );
    expect(verdictOn('unendedSessionEnd', near).why).toBe(
      'live-events: no session lies ahead in every time zone: scheduledStartAtIso is "2026-11-20T18:00:00", without a zone',
    );
  });

  it('a start or a duration of another type', async () => {
    const done = await calibratedWith((name, value) =>
      name === 'scheduledDurationInSecs' ? String(value) : value,
    );
    expect(verdictOn('unendedSessionEnd', done).why).toMatch(
      /^live-events: no session could be read: scheduledDurationInSecs is "\d+", which is not a number$/,
    );
  });
});
