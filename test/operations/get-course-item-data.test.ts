import { describe, expect, it } from 'vitest';
import { items, quiz } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';
import { expectUnknown, missingId } from './unknown-record.ts';

const operation = 'get-course-item-data';

describe('get-course-item-data', () => {
  it.each([
    ['an article of the rich-text editor', items.article, { isPublished: true, isEditorContent: true }],
    ['an article in Markdown', items.markdown, { isPublished: true, isEditorContent: false }],
    ['a draft', items.draft, { isPublished: false, isEditorContent: true }],
  ])('reads %s as the state has it', async (_, courseItemId, kind) => {
    const { call, sandbox } = await world();
    const kept = await sandbox.state.get('courseItems', courseItemId);
    expect(kept).toMatchObject(kind);
    expect(resultOf(await call(operation, { courseItemId }))).toEqual({
      createdAt: kept?.createdAt,
      updatedAt: kept?.updatedAt,
      courseItemData: {
        serviceCourseItemId: courseItemId,
        serviceDigitalProductId: kept?.productId,
        courseItemSlug: kept?.courseItemSlug,
        articleUniqueId: kept?.articleUniqueId,
        type: 'Article',
        title: kept?.title,
        contentJson: kept?.contentJson,
        isEditorContent: kept?.isEditorContent,
      },
    });
  });

  it('gives the content as a string that is JSON, and says nothing of whether the item is published', async () => {
    const { call } = await world();
    const { courseItemData } = resultOf(await call(operation, { courseItemId: items.draft }));
    const { contentJson } = courseItemData as { contentJson: string };
    expect(JSON.parse(contentJson)).toHaveProperty('type', 'doc');
    expect(courseItemData).not.toHaveProperty('isPublished');
  });

  it('reads the course item of a quiz with the one type that the specification shows', async () => {
    const { call } = await world();
    const { courseItemData } = resultOf(await call(operation, { courseItemId: quiz.itemId }));
    expect(courseItemData).toMatchObject({ type: 'Article', title: 'Check Yourself: Collections' });
    expect(courseItemData).not.toHaveProperty('quizId');
  });

  it("cannot tell another school's course item from one that does not exist", async () => {
    const place = await world();
    await expectUnknown(place, items.hillcrest, {
      operation,
      parameters: (courseItemId) => ({ courseItemId }),
      what: 'course item',
    });
    resultOf(await place.call(operation, { courseItemId: items.hillcrest }, 'hillcrest'));
  });

  it('answers a batch element by element', async () => {
    const { batch } = await world();
    const outputs = outputsOf(
      await batch(operation, [
        { courseItemId: items.draft },
        { courseItemId: missingId },
        { courseItemId: items.article },
        { courseItemId: items.hillcrest },
        { courseItemId: 7 },
      ]),
    );
    expect(outputs).toMatchObject([
      { status: 'ok', data: { courseItemData: { serviceCourseItemId: items.draft } } },
      {
        status: 'error',
        errorMessage: `/data/1/data/courseItemId: The school has no course item with the identifier "${missingId}".`,
      },
      { status: 'ok', data: { courseItemData: { serviceCourseItemId: items.article } } },
      {
        status: 'error',
        errorMessage: `/data/3/data/courseItemId: The school has no course item with the identifier "${items.hillcrest}".`,
      },
      {
        status: 'error',
        errorMessage:
          'The parameters are invalid. /data/4/data/courseItemId must be a string, but is the number 7.',
      },
    ]);
  });

  it.each([
    ['', ' It is blank.'],
    ['__proto__', ''],
    [`${items.article} `, ` Did you mean "${items.article}"?`],
    [items.article.toUpperCase(), ` Did you mean "${items.article}"?`],
  ])('knows no course item "%s"', async (courseItemId, hint) => {
    const { call } = await world();
    expect(failureOf(await call(operation, { courseItemId }))).toBe(
      `/data/0/data/courseItemId: The school has no course item with the identifier "${courseItemId}".${hint}`,
    );
  });

  it('refuses a missing courseItemId with a pointer to it', async () => {
    const { call } = await world();
    expect(failureOf(await call(operation, {}))).toBe(
      'The parameters are invalid. /data/0/data/courseItemId is required, but missing.',
    );
  });
});
