/**
 * What each operation needs at least: to look up the same records, and to return the same fields. No
 * validation, and nothing is remembered besides the changes.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Fields = Record<string, unknown>;
interface Stored extends Fields {
  readonly id: string;
}

/** Throws the message of an element that fails. */
export type BareOperation = (parameters: Fields, origin: string) => object;

const riverside = '1d7181362df2b36a581c47d4';
const secret = 'a secret of the bare server';

function listOf(collection: string): readonly Stored[] {
  const path = new URL(`../fixtures/demo/${collection}.json`, import.meta.url);
  // The fixtures are checked by the tests.
  const records = JSON.parse(readFileSync(path, 'utf8')) as readonly Stored[];
  return records.filter(
    ({ schoolId, schoolIds }) =>
      schoolId === riverside || (Array.isArray(schoolIds) && schoolIds.includes(riverside)),
  );
}

function byId(collection: string): Map<string, Stored> {
  return new Map(listOf(collection).map((record) => [record.id, record]));
}

const quizzes = byId('quizzes');
const coupons = byId('coupons');
const labs = byId('labs');
const courseItems = byId('courseItems');
const products = byId('products');
const sessions = byId('liveEventSessions');
const submissions = new Map<string, Fields>();
const instructors = listOf('instructors');
const instructorsByEmail = new Map(instructors.map((one) => [String(one['email']).toLowerCase(), one]));
const presets = listOf('permissionPresets');
const assignmentsOf = groups('assignments');
const liveEvents = listOf('liveEvents');
const sessionsOf = groups('liveEventSessions', 'liveEventId');
const videos = listOf('videos');
const videosIn = groups('videos', 'folderPath');

function groups(collection: string, field = 'productId'): ReadonlyMap<unknown, readonly Stored[]> {
  const found = new Map<unknown, Stored[]>();
  for (const record of listOf(collection)) {
    const group = found.get(record[field]);
    if (group === undefined) found.set(record[field], [record]);
    else group.push(record);
  }
  return found;
}

function one(records: ReadonlyMap<string, Stored>, id: unknown, kind: string): Stored {
  const record = records.get(String(id));
  if (record === undefined) throw new Error(`The school has no ${kind} with the identifier "${String(id)}".`);
  return record;
}

function update(records: Map<string, Stored>, id: unknown, kind: string, fields: Fields): object {
  const record = one(records, id, kind);
  records.set(record.id, { ...record, ...fields, id: record.id });
  return {};
}

function sign(path: string): string {
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const signature = createHmac('sha256', secret).update(`${path}\n${expires}`).digest('hex');
  return `?expires=${expires}&signature=${signature}`;
}

function recorded(id: unknown): { readonly id: string; readonly sources: readonly unknown[] } {
  const session = one(sessions, id, 'live event session');
  const sources: readonly unknown[] = Array.isArray(session['recordedSources'])
    ? session['recordedSources']
    : [];
  if (sources.length === 0) throw new Error(`The live event session "${session.id}" has no recording.`);
  return { id: session.id, sources };
}

function video({ createdAt, status, id, videoTitle }: Stored): object {
  return { createdAt, status, videoId: id, videoTitle };
}

/** By the name of the operation. */
export const bareOperations: Readonly<Record<string, BareOperation>> = {
  'get-quiz-details': ({ quizId }) => {
    const { createdAtIso, quizTitle, questions } = one(quizzes, quizId, 'quiz');
    return { createdAtIso, quizTitle, questions };
  },
  'update-digital-product-coupon': ({ serviceCouponCodeId, ...fields }) =>
    update(coupons, serviceCouponCodeId, 'coupon', fields),
  'update-interactive-coding-lab': ({ labId, ...fields }) => update(labs, labId, 'lab', fields),
  'submit-user-course-item': ({ courseItemId, userId, ...fields }) => {
    const { id } = one(courseItems, courseItemId, 'course item');
    submissions.set(`${String(userId)} ${id}`, { courseItemId, userId, ...fields });
    return {};
  },
  'create-instructor-account': ({ instructorEmail, instructorName }) => {
    const email = String(instructorEmail).toLowerCase();
    const known = instructorsByEmail.get(email);
    if (String(instructorName).trim() === '') throw new Error('instructorName must not be empty or blank.');
    if (known !== undefined)
      return { serviceInstructorId: known.id, associatedServiceUserId: known['userId'] };
    const id = createHash('sha256').update(email).digest('hex').slice(0, 24);
    const userId = createHash('sha256').update(id).digest('hex').slice(0, 24);
    instructorsByEmail.set(email, { id, userId, email, name: instructorName });
    return { serviceInstructorId: id, associatedServiceUserId: userId };
  },
  'get-video-library': ({ filterTerm, folderPath, pageNumber }) => {
    const term = String(filterTerm).toLowerCase();
    const there = folderPath === undefined ? videos : (videosIn.get(folderPath) ?? []);
    const found = there.filter(({ videoTitle }) => String(videoTitle).toLowerCase().includes(term));
    const page = found.slice((Number(pageNumber) - 1) * 20, Number(pageNumber) * 20);
    return { totalResults: found.length, pageSize: 20, videoData: page.map(video), absoluteFolderPaths: [] };
  },
  'get-signed-url-data-for-live-event-session-playback': ({ liveEventSessionId }, origin) => {
    const { id, sources } = recorded(liveEventSessionId);
    const urlSearchParamString = sign(`/media/default/sessions/${id}`);
    const key = createHmac('sha256', secret).update(id).digest('hex').slice(0, 32);
    const playbackSources = sources.map((source) => ({
      masterM3u8Pathname: `/media/default/sessions/${id}/${String(source)}/master.m3u8`,
      origin,
      urlSearchParamString,
      clearkeyDecryptionKeyInHex: key,
    }));
    return { playbackSources };
  },
  'list-assignments': ({ courseIdentifier }) => {
    // The benchmark sends an object.
    const { digitalProductId } = courseIdentifier as Fields;
    const { id, title } = one(products, digitalProductId, 'product');
    const assignments = (assignmentsOf.get(id) ?? []).map(({ id: assignmentId, assignmentTitle }) => ({
      assignmentId,
      assignmentTitle,
    }));
    return { productId: id, productTitle: title, assignments };
  },
  'get-course-item-data': ({ courseItemId }) => {
    const {
      id,
      productId,
      schoolId: _,
      createdAt,
      updatedAt,
      ...fields
    } = one(courseItems, courseItemId, 'course item');
    return {
      createdAt,
      updatedAt,
      courseItemData: { serviceCourseItemId: id, serviceDigitalProductId: productId, ...fields },
    };
  },
  'get-instructor-permission-presets': ({ pageNumber, limit }) => {
    const start = (Number(pageNumber) - 1) * Number(limit);
    if (Number(limit) < 1) throw new Error('limit must be at least 1.');
    const page = presets.slice(start, start + Number(limit));
    return {
      totalPresetCount: presets.length,
      presets: page.map(({ requiresResourceIds, permissionSets }) => ({
        requiresResourceIds,
        permissionSets,
      })),
    };
  },
  'get-all-live-events': (_, origin) => ({
    liveEvents: liveEvents.map(({ id, productId, schoolId: __, thumbnailUrl, ...fields }) => ({
      serviceDigitalProductId: productId,
      liveEventId: id,
      ...fields,
      thumbnailUrl: `${origin}${String(thumbnailUrl)}`,
      sessions: (sessionsOf.get(id) ?? []).map(
        ({ id: liveEventSessionId, scheduledStartAtIso, scheduledDurationInSecs, endsAtIso }) => ({
          liveEventSessionId,
          scheduledStartAtIso,
          scheduledDurationInSecs,
          endedAtIso: endsAtIso,
        }),
      ),
    })),
  }),
  'get-all-instructors': (_, origin) => ({
    instructors: instructors.map(
      ({ id, name, email, profilePhotoUrl, tagline, longDescriptionMarkdown, createdAt, lastUpdatedAt }) => ({
        serviceInstructorId: id,
        name,
        email,
        profilePhotoUrl: `${origin}${String(profilePhotoUrl)}`,
        tagline,
        longDescriptionMarkdown,
        createdAt,
        lastUpdatedAt,
      }),
    ),
  }),
  'get-live-event-session-processed-mp4': ({ liveEventSessionId }, origin) => {
    const path = `/media/default/sessions/${recorded(liveEventSessionId).id}/recording.mp4`;
    return { downloadUrl: `${origin}${path}${sign(path)}` };
  },
};
