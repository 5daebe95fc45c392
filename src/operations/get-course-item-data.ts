import type { Records } from '../contract/generated/facts.ts';
import type { Result } from '../contract/operation-types.ts';
import { openValue, openValues, shownValues, type Values } from './shared/open-values.ts';
import { needed, type Operation } from './shared/operation.ts';

/** Returns a course item, including drafts and unpublished ones (specification, endpoint 9). */
export const getCourseItemData: Operation<'get-course-item-data', 'find' | 'show' | 'assume'> = (
  { courseItemId },
  { find, show, assume },
) =>
  show(
    find('courseItems', needed(courseItemId, '/courseItemId'), '/courseItemId', 'course item'),
    views[openValues(assume)],
  );

const views = { 'shown-only': viewWith('shown-only'), plausible: viewWith('plausible') };

function viewWith(values: Values) {
  return (item: Records['courseItems']): Result<'get-course-item-data'> => ({
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    courseItemData: {
      serviceCourseItemId: item.id,
      serviceDigitalProductId: item.productId,
      courseItemSlug: item.courseItemSlug,
      articleUniqueId: item.articleUniqueId,
      type: openValue(values, item.type, shownValues.courseItems.type),
      title: item.title,
      contentJson: item.contentJson,
      isEditorContent: item.isEditorContent,
    },
  });
}
