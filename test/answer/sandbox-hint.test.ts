import { describe, expect, it } from 'vitest';
import { coupon, instructors, items, labId, quiz } from '../support/demo.ts';
import { failureOf, resultOf, world } from '../support/world.ts';

const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };

describe('the header Sandbox-Hint', () => {
  it.each<readonly [string, object, string | undefined]>([
    ['get-video-library', { searchTerm: 'x' }, '/searchTerm: did you mean "filterTerm"?'],
    ['get-video-library', { page_number: 2 }, '/page_number: did you mean "pageNumber"?'],
    ['get-video-library', { pagenumber: 2 }, '/pagenumber: did you mean "pageNumber"?'],
    ['get-video-library', { page: 2 }, '/page: did you mean "pageNumber"?'],
    ['get-video-library', { folder: '/Biology' }, '/folder: did you mean "folderPath"?'],
    ['get-video-library', { traceId: 'x' }, undefined],
    // The known field is there, so the other one is no misspelling of it.
    ['get-video-library', { page_number: 2, pageNumber: 1 }, undefined],
    ['get-video-library', { paging: { pageNumber: 2 } }, '/paging: move its "pageNumber" one level up'],
    ['get-all-instructors', { pageNumber: 1 }, undefined],
    [
      'update-digital-product-coupon',
      { ...names, percentOff: 10 },
      '/percentOff: move it into "couponTypeData"',
    ],
    [
      'update-digital-product-coupon',
      { ...names, couponTypeData: { type: 'percent-off', percentOff: 10, description: 'x' } },
      '/couponTypeData/description: move it one level up',
    ],
    ...['name', 'title', 'labName', 'lab_title'].map(
      (field) =>
        [
          'update-interactive-coding-lab',
          { labId, [field]: 'x' },
          `/${field}: did you mean "labTitle"?`,
        ] as const,
    ),
    [
      'update-interactive-coding-lab',
      { labId, branchName: 'x' },
      '/branchName: did you mean "defaultGitRepositoryBranchName"?',
    ],
    [
      'submit-user-course-item',
      { courseItemId: quiz.itemId, userId: 'a-user', email: 'a@b.example' },
      '/email: did you mean "userEmail"?',
    ],
    [
      'submit-user-course-item',
      { courseItemId: quiz.itemId, userId: '{{userId}}' },
      '/userId: no user had this identifier before. It looks like a placeholder that was not replaced.',
    ],
    [
      'submit-user-course-item',
      { courseItemId: quiz.itemId, userId: instructors.riverside.id },
      '/userId: no user had this identifier before. It is the identifier of an instructor; the user that belongs to it is "dfb0b9fce5d3b75b8259788f".',
    ],
  ])('names what %s let pass in %j', async (operation, parameters, hint) => {
    const { call } = await world();
    const reply = await call(operation, parameters);
    resultOf(reply);
    expect(reply.headers['sandbox-hint']).toBe(hint === undefined ? undefined : `/data/0/data${hint}`);
  });

  it.each<readonly [string, object, name: string, hint: string, header: string]>([
    [
      'list-assignments',
      { productId: 'x' },
      'courseIdentifier/digitalProductId',
      'You sent "productId": move it into "courseIdentifier", as "digitalProductId".',
      '/productId: move it into "courseIdentifier", as "digitalProductId"',
    ],
    [
      'list-assignments',
      { courseIdentifier: { productId: 'x' } },
      'courseIdentifier/digitalProductId',
      'You sent "productId": did you mean "digitalProductId"?',
      '/courseIdentifier/productId: did you mean "digitalProductId"?',
    ],
    [
      'create-instructor-account',
      { instructor: { email: 'a@b.example' } },
      'instructorEmail',
      'You sent "email" in "instructor": send it one level up, as "instructorEmail".',
      '/instructor: send its "email" one level up, as "instructorEmail"',
    ],
    [
      'submit-user-course-item',
      { serviceCourseItemId: 'x' },
      'courseItemId',
      'You sent "serviceCourseItemId": did you mean "courseItemId"?',
      '/serviceCourseItemId: did you mean "courseItemId"?',
    ],
    [
      'submit-user-course-item',
      { details: { courseItemId: 'x' } },
      'courseItemId',
      'You sent it in "details": move it one level up.',
      '/details/courseItemId: move it one level up',
    ],
    [
      'update-digital-product-coupon',
      { id: 'x' },
      'serviceCouponCodeId',
      'You sent "id": did you mean "serviceCouponCodeId"?',
      '/id: did you mean "serviceCouponCodeId"?',
    ],
  ])(
    'and the message name what was sent for a parameter that only the operation requires: %s %j',
    async (operation, parameters, name, hint, header) => {
      const { call } = await world({ assumptions: { requiredFields: 'stated-only' } });
      const reply = await call(operation, parameters);
      expect(failureOf(reply)).toBe(`/data/0/data/${name} is required, but missing. ${hint}`);
      expect(reply.headers['sandbox-hint']).toBe(`/data/0/data${header}`);
    },
  );

  it('has one mark between two hints', async () => {
    const { call } = await world();
    const couponTypeData = { amountOff: 5, percentoff: 6 };
    const reply = await call('update-digital-product-coupon', { ...names, couponTypeData });
    const why =
      'it is not a field of the type "percent-off", which the coupon keeps because you sent no type';
    expect(reply.headers['sandbox-hint']).toBe(
      `/data/0/data/couponTypeData/amountOff: was not stored: ${why}; /data/0/data/couponTypeData/percentoff: was not stored: ${why}. Did you mean "percentOff"?`,
    );
  });

  it('does not take another discount for percentOff in data whose type is unknown', async () => {
    const { call } = await world({ assumptions: { couponTypes: 'any', requiredFields: 'all' } });
    const couponTypeData = { amountOff: 5 };
    const reply = await call('update-digital-product-coupon', { ...names, couponTypeData });
    expect(failureOf(reply)).toMatch(/couponTypeData\/type is required, but missing\.$/);
    const typed = { couponTypeData: { ...couponTypeData, type: 'percent-off' } };
    expect(failureOf(await call('update-digital-product-coupon', { ...names, ...typed }))).toMatch(
      /couponTypeData\/percentOff is required, but missing\.$/,
    );
  });

  it('names a parameter that was sent beside data', async () => {
    const { post, sandbox } = await world();
    const reply = await post('get-video-library')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ filterTerm: 'x', data: [{ data: {} }, { data: {}, pageNumber: 2, traceId: 'x' }] });
    expect(reply.headers['sandbox-hint']).toBe(
      '/filterTerm: move it into "data"; /data/1/pageNumber: move it into "data"',
    );
  });

  it('does not judge the fields of a coupon type that is not documented', async () => {
    const { call, sandbox } = await world({ assumptions: { couponTypes: 'any' } });
    const update = async (couponTypeData: object) => {
      const reply = await call('update-digital-product-coupon', { ...names, couponTypeData });
      resultOf(reply);
      expect(reply.headers).not.toHaveProperty('sandbox-hint');
      expect(reply.headers['sandbox-assumed']).not.toContain('unknownFields');
      expect(reply.headers['sandbox-assumed']).toContain('couponTypes=any');
    };
    await update({ type: 'amount-off', amountOff: 5 });
    // It is merged into the stored type.
    await update({ amountOff: 6 });
    expect((await sandbox.state.get('coupons', coupon.id))?.couponTypeData).toEqual({
      type: 'amount-off',
      amountOff: 6,
    });
    const { conduct } = await sandbox.report();
    expect(conduct.find(({ check }) => check === 'undocumented-fields')?.verdict).toBe('passed');
  });

  it('judges the fields of the documented coupon type under each option', async () => {
    for (const couponTypes of ['any', 'percent-off-only'] as const) {
      const { call, sandbox } = await world({ assumptions: { couponTypes } });
      const couponTypeData = { type: 'percent-off', amountOff: 5 };
      const reply = await call('update-digital-product-coupon', { ...names, couponTypeData });
      expect(reply.headers['sandbox-hint']).toBe(
        '/data/0/data/couponTypeData/amountOff: was not stored: it is not a field of the type "percent-off".',
      );
      const misspelled = await call('update-digital-product-coupon', {
        ...names,
        couponTypeData: { percentoff: 5 },
      });
      expect(misspelled.headers['sandbox-hint']).toBe(
        '/data/0/data/couponTypeData/percentoff: was not stored: it is not a field of the type "percent-off", which the coupon keeps because you sent no type. Did you mean "percentOff"?',
      );
      const { conduct } = await sandbox.report();
      expect(conduct.find(({ check }) => check === 'undocumented-fields')?.verdict).toBe('failed');
    }
  });

  it('is absent if the element is invalid, because its error says so', async () => {
    const { call } = await world();
    const reply = await call('get-quiz-details', { quiz_id: quiz.id });
    expect(failureOf(reply)).toContain('did you mean "quizId"?');
    expect(reply.headers).not.toHaveProperty('sandbox-hint');
  });

  it('is absent if the call is refused for its fields', async () => {
    const { call } = await world({ assumptions: { unknownFields: 'refuse' } });
    const reply = await call('get-video-library', { page_number: 2 });
    expect(failureOf(reply)).toContain('Did you mean "pageNumber"?');
    expect(reply.headers).not.toHaveProperty('sandbox-hint');
  });

  it('is bounded, in ASCII, and counts the others', async () => {
    const { batch } = await world();
    const elements = Array.from({ length: 50 }, () => ({
      'page\u00a0number\n': 2,
      'filter\u{1f600}Term': 'x',
    }));
    const hint = (await batch('get-video-library', elements)).headers['sandbox-hint'];
    expect(hint).toMatch(/^[\x20-\x7e]{500,1050}$/);
    expect(hint).toContain('/data/0/data/page\\u00a0number\\u000a: did you mean "pageNumber"?; ');
    // The call looks for no more hints when it has 20.
    const shown = String(hint).split(': did you mean').length - 1;
    expect(hint).toMatch(new RegExp(`; And at least ${20 - shown} more\\.$`));
  });

  it('counts all others if the call has fewer than 20', async () => {
    const { batch } = await world();
    const elements = Array.from({ length: 19 }, () => ({ page_number: 2, note: 'x'.repeat(10) }));
    const hint = String((await batch('get-video-library', elements)).headers['sandbox-hint']);
    const shown = hint.split(': did you mean').length - 1;
    expect(shown).toBeLessThan(19);
    expect(hint).toMatch(new RegExp(`; And ${19 - shown} more\\.$`));
  });

  it('has no API key', async () => {
    const { call, sandbox } = await world();
    const reply = await call('get-video-library', { [`${sandbox.apiKey('riverside')}_term`]: 2 });
    expect(JSON.stringify([reply.headers, await sandbox.journal.list()])).not.toContain(
      sandbox.apiKey('riverside'),
    );
  });
});

it('the journal and the report name what was let pass', async () => {
  const { call, sandbox } = await world();
  await call('get-video-library', { page_number: 2 });
  await call('get-course-item-data', { courseItemId: items.article });
  const hint = { pointer: '/data/0/data/page_number', message: 'did you mean "pageNumber"?' };
  const [first, second] = await sandbox.journal.list();
  expect(first).toMatchObject({ outcome: 'ok', violations: [], hints: [hint] });
  expect(second).not.toHaveProperty('hints');
  const { conduct } = await sandbox.report();
  expect(JSON.stringify(conduct.find(({ check }) => check === 'undocumented-fields'))).toContain(
    JSON.stringify(
      '/data/0/data/page_number is not a field of get-video-library. Did you mean "pageNumber"?',
    ).slice(1, -1),
  );
});
