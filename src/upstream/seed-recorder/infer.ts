import type { OperationName, Optional, Parameters, Result } from '../../contract/operation-types.ts';
import { deeper, statedEnd, upserted, wholePreset, wholeQuestion } from './infer-parts.ts';
import type { Notebook, Preset } from './notebook.ts';

/** A successful element: parameters and result, all masked. */
export interface Seen<N extends OperationName> {
  readonly parameters: Parameters<N>;
  readonly result: Optional<Result<N>>;
}

type Infer<N extends OperationName> = (seen: Seen<N>, school: number, notebook: Notebook) => void;

/** Derives records from a result: the reverse of an operation. One without an entry adds no records. */
export const inferences: { readonly [N in OperationName]?: Infer<N> } = {
  'get-quiz-details': (
    { parameters: { quizId }, result: { createdAtIso, quizTitle, questions } },
    school,
    notebook,
  ) =>
    notebook.see(school, 'quizzes', quizId, {
      createdAtIso,
      quizTitle,
      questions: questions?.flatMap(wholeQuestion),
    }),

  'update-digital-product-coupon': ({ parameters }, school, notebook) => {
    const { serviceCouponCodeId, serviceDigitalProductId: productId, couponTypeData, ...fields } = parameters;
    notebook.see(school, 'coupons', serviceCouponCodeId, { ...fields, productId, couponTypeData });
  },

  'update-interactive-coding-lab': ({ parameters: { labId, ...fields } }, school, notebook) =>
    notebook.see(school, 'labs', labId, fields),

  'submit-user-course-item': ({ parameters }, school, notebook) => {
    const {
      courseItemId = '',
      userId = '',
      userEmail,
      details = {},
      shouldMarkAsCompleted = false,
    } = parameters;
    if (courseItemId === '' || userId === '') return;
    notebook.see(school, 'users', userId, { email: userEmail });
    notebook.suppose(school, 'courseItems', courseItemId, { type: details.courseItemType });
    const key = `${userId}\n${courseItemId}`;
    const before = notebook.of('submissions').get(key)?.told;
    notebook.see(school, 'submissions', key, {
      userId,
      courseItemId,
      courseItemType: details.courseItemType,
      answers: upserted(before?.answers ?? [], details.questionsToUpsert ?? []),
      isCompleted: shouldMarkAsCompleted || before?.isCompleted === true,
    });
  },

  'create-instructor-account': (
    { parameters: { instructorEmail, instructorName }, result },
    school,
    notebook,
  ) => {
    const { serviceInstructorId, associatedServiceUserId: userId } = result;
    notebook.see(school, 'users', userId, { email: instructorEmail });
    notebook.see(school, 'instructors', serviceInstructorId, { email: instructorEmail, userId });
    // An existing instructor keeps their name.
    notebook.suppose(school, 'instructors', serviceInstructorId, { name: instructorName });
  },

  'get-video-library': (
    { parameters: { filterTerm = '', pageNumber = 0, folderPath = '' }, result },
    school,
    notebook,
  ) => {
    const { videoData = [], totalResults, absoluteFolderPaths = [] } = result;
    const folder = folderPath === '' ? null : `/${folderPath.replace(/^\//, '')}`;
    for (const { videoId, ...fields } of videoData) {
      const known = videoId === undefined ? undefined : notebook.of('videos').get(videoId)?.told.folderPath;
      notebook.see(school, 'videos', videoId, { ...fields, folderPath: deeper(folder, known) });
    }
    notebook.sequences.note(
      'videos',
      JSON.stringify([school, filterTerm, folder]),
      pageNumber,
      idsOf(videoData, 'videoId'),
    );
    notebook.noteTotal(school, 'videos', totalResults);
    const folders = notebook.folders.get(school) ?? new Set();
    for (const path of absoluteFolderPaths) folders.add(path);
    notebook.folders.set(school, folders);
  },

  'get-signed-url-data-for-live-event-session-playback': (
    { parameters: { liveEventSessionId: id }, result },
    school,
    notebook,
  ) => {
    notebook.see(school, 'liveEventSessions', id, {});
    if (id !== undefined && result.playbackSources !== undefined)
      notebook.sources.set(id, result.playbackSources.length);
  },

  'list-assignments': ({ parameters: { courseIdentifier }, result }, school, notebook) => {
    const { productId = courseIdentifier?.digitalProductId, productTitle, assignments = [] } = result;
    notebook.see(school, 'products', productId, { title: productTitle });
    for (const { assignmentId, assignmentTitle } of assignments)
      notebook.see(school, 'assignments', assignmentId, { productId, assignmentTitle });
    const ids = idsOf(assignments, 'assignmentId');
    notebook.only(school, 'assignments', ids, ({ told }) => told.productId === productId);
    notebook.sequences.note('assignments', productId ?? '', 0, ids);
  },

  'get-course-item-data': (
    { parameters: { courseItemId }, result: { createdAt, updatedAt, courseItemData = {} } },
    school,
    notebook,
  ) => {
    const {
      serviceCourseItemId: id = courseItemId,
      serviceDigitalProductId: productId,
      ...fields
    } = courseItemData;
    notebook.see(school, 'courseItems', id, { ...fields, productId, createdAt, updatedAt });
  },

  'get-instructor-permission-presets': ({ parameters: { pageNumber, limit }, result }, school, notebook) => {
    const byLimit = notebook.presets.get(school) ?? new Map<string, Map<number | null, readonly Preset[]>>();
    const pages = byLimit.get(String(limit)) ?? new Map<number | null, readonly Preset[]>();
    pages.set(pageNumber ?? null, result.presets?.map(wholePreset) ?? []);
    byLimit.set(String(limit), pages);
    notebook.presets.set(school, byLimit);
    notebook.noteTotal(school, 'presets', result.totalPresetCount);
  },

  'get-all-live-events': ({ result: { liveEvents = [] } }, school, notebook) => {
    for (const { liveEventId, serviceDigitalProductId: productId, sessions = [], ...fields } of liveEvents) {
      notebook.see(school, 'liveEvents', liveEventId, { ...fields, productId });
      for (const { liveEventSessionId, endedAtIso, ...times } of sessions)
        notebook.see(school, 'liveEventSessions', liveEventSessionId, {
          ...times,
          liveEventId,
          endsAtIso: statedEnd(endedAtIso, times.scheduledStartAtIso),
        });
      const ids = idsOf(sessions, 'liveEventSessionId');
      notebook.only(school, 'liveEventSessions', ids, ({ told }) => told.liveEventId === liveEventId);
      notebook.sequences.note('liveEventSessions', liveEventId ?? '', 0, ids);
    }
    const ids = idsOf(liveEvents, 'liveEventId');
    notebook.only(school, 'liveEvents', ids, () => true);
    notebook.only(
      school,
      'liveEventSessions',
      [],
      ({ told }) => told.liveEventId !== undefined && !ids.includes(told.liveEventId),
    );
    notebook.sequences.note('liveEvents', String(school), 0, ids);
  },

  'get-all-instructors': ({ result: { instructors = [] } }, school, notebook) => {
    for (const { serviceInstructorId, ...fields } of instructors)
      notebook.see(school, 'instructors', serviceInstructorId, fields);
    const ids = idsOf(instructors, 'serviceInstructorId');
    notebook.only(school, 'instructors', ids, () => true);
    notebook.sequences.note('instructors', String(school), 0, ids);
  },

  'get-live-event-session-processed-mp4': (
    { parameters: { liveEventSessionId: id }, result: { downloadUrl } },
    school,
    notebook,
  ) => {
    notebook.see(school, 'liveEventSessions', id, {});
    if (id !== undefined && downloadUrl !== '' && !notebook.sources.has(id)) notebook.sources.set(id, 1);
  },
};

function idsOf<F extends string>(
  members: readonly { readonly [K in F]?: string | undefined }[],
  field: F,
): readonly string[] {
  return members.flatMap((member) => member[field] ?? []).filter((id) => id !== '');
}
