import { expect, it } from 'vitest';
import * as always200 from './always-200.ts';
import { run } from './client.ts';
import * as drops from './drops.ts';
import * as firstOnly from './first-only.ts';
import * as gateway from './gateway.ts';
import * as jsonErrors from './json-errors.ts';
import * as lockedDown from './locked-down.ts';

const quiz = 'get-quiz-details';
const videos = 'get-video-library';
const presets = 'get-instructor-permission-presets';
const coupon = 'update-digital-product-coupon';
const playback = 'get-signed-url-data-for-live-event-session-playback';
const mp4 = 'get-live-event-session-processed-mp4';
const item = 'get-course-item-data';
const hire = 'create-instructor-account';
const events = 'get-all-live-events';

const services = {
  'json-errors': jsonErrors,
  'always-200': always200,
  gateway,
  'first-only': firstOnly,
  drops: { ...drops, start: () => drops.start({ rates: drops.calm }) },
  'locked-down': lockedDown,
};

/** Valid parameters, with some of them replaced. */
function like(service: keyof typeof services, operation: string, changes: object = {}): object {
  return { ...services[service].samples[operation], ...changes };
}

interface Claim {
  readonly service: keyof typeof services;
  readonly claim: string;
  readonly operation: string;
  /** Default: one valid element. */
  readonly elements?: readonly object[];
  readonly body?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly school?: 0 | 1;
  readonly status: number;
  readonly says: RegExp;
}

const session = (id: string): readonly object[] => [{ liveEventSessionId: id }];
const unknownQuiz = [{ quizId: 'nowhere' }];
const page = (pageNumber: unknown): readonly object[] => [{ filterTerm: '', folderPath: '/', pageNumber }];

const claims: readonly Claim[] = [
  {
    service: 'json-errors',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 404,
    says: /"not_found"/,
  },
  {
    service: 'json-errors',
    claim: 'missing field',
    operation: quiz,
    elements: [{}],
    status: 400,
    says: /"missing_field".*"data\[0\]\.data\.quizId"/,
  },
  {
    service: 'json-errors',
    claim: 'wrong type',
    operation: quiz,
    elements: [{ quizId: 1 }],
    status: 422,
    says: /"invalid_value"/,
  },
  {
    service: 'json-errors',
    claim: 'empty batch',
    operation: quiz,
    elements: [],
    status: 400,
    says: /"empty_batch"/,
  },
  {
    service: 'json-errors',
    claim: 'malformed JSON',
    operation: quiz,
    body: '{',
    status: 400,
    says: /"malformed_json"/,
  },
  {
    service: 'json-errors',
    claim: 'long body',
    operation: quiz,
    body: 'x'.repeat(262_145),
    status: 413,
    says: /"body_too_large"/,
  },
  {
    service: 'json-errors',
    claim: 'other method',
    operation: quiz,
    method: 'PUT',
    status: 405,
    says: /"method_not_allowed"/,
  },
  {
    service: 'json-errors',
    claim: 'content type',
    operation: quiz,
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    says: /media_type/,
  },
  {
    service: 'json-errors',
    claim: 'page 0',
    operation: videos,
    elements: page(0),
    status: 422,
    says: /"out_of_range"/,
  },
  {
    service: 'json-errors',
    claim: 'page beyond the end',
    operation: videos,
    elements: page(9),
    status: 200,
    says: /"totalResults":34,"pageSize":10,"videoData":\[\]/,
  },
  {
    service: 'json-errors',
    claim: 'rounds the limit down',
    operation: presets,
    elements: [{ limit: 1.9 }],
    status: 200,
    says: /"totalPresetCount":5,"presets":\[\{[^[]*\[\{[^[]*\[[^\]]*\][^\]]*\]\}\]/,
  },
  {
    service: 'json-errors',
    claim: 'past expiry',
    operation: coupon,
    elements: [like('json-errors', coupon, { expireAtIsoString: '2001-01-01T00:00:00Z' })],
    status: 422,
    says: /"expiry_in_past"/,
  },
  {
    service: 'json-errors',
    claim: 'null for no end',
    operation: events,
    status: 200,
    says: /"endedAtIso":null/,
  },
  {
    service: 'always-200',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 200,
    says: /"Not found"/,
  },
  {
    service: 'always-200',
    claim: 'malformed JSON',
    operation: quiz,
    body: '{',
    status: 200,
    says: /^\[\{"output":\{"status":"error","errorMessage":"Invalid input"\}\}\]$/,
  },
  { service: 'always-200', claim: 'empty batch', operation: quiz, elements: [], status: 200, says: /^\[\]$/ },
  {
    service: 'always-200',
    claim: 'bare element',
    operation: quiz,
    body: '{"data":{"quizId":" qz_00 "}}',
    status: 200,
    says: /"status":"ok"/,
  },
  {
    service: 'always-200',
    claim: 'other method',
    operation: events,
    method: 'PUT',
    status: 200,
    says: /"status":"ok"/,
  },
  {
    service: 'always-200',
    claim: 'last page beyond the end',
    operation: videos,
    elements: page('99'),
    status: 200,
    says: /"totalResults":47,"pageSize":20,"videoData":\[\{/,
  },
  {
    service: 'always-200',
    claim: 'playback not ended',
    operation: playback,
    elements: session('ses_001'),
    status: 200,
    says: /"playbackSources":\[\]/,
  },
  {
    service: 'always-200',
    claim: 'mp4 not ready',
    operation: mp4,
    elements: session('ses_001'),
    status: 200,
    says: /"downloadUrl":""/,
  },
  {
    service: 'always-200',
    claim: 'other school',
    operation: quiz,
    school: 1,
    status: 200,
    says: /"Not found"/,
  },
  {
    service: 'gateway',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 404,
    says: /"title":"not found"/,
  },
  {
    service: 'gateway',
    claim: 'several elements',
    operation: quiz,
    elements: [{}, like('gateway', quiz)],
    status: 200,
    says: /"errorMessage":"The parameters are not valid\."\}\},\{"output":\{"status":"ok"/,
  },
  {
    service: 'gateway',
    claim: 'too many elements',
    operation: events,
    elements: Array.from({ length: 11 }, () => ({})),
    status: 422,
    says: /"batch too large"/,
  },
  { service: 'gateway', claim: 'other school', operation: quiz, school: 1, status: 404, says: /not-found/ },
  {
    service: 'gateway',
    claim: 'all violations',
    operation: hire,
    elements: [{ instructorEmail: 'x' }],
    status: 400,
    says: /\/instructorEmail","reason":"invalid".*\/instructorName","reason":"missing"/,
  },
  {
    service: 'gateway',
    claim: 'page beyond the end',
    operation: videos,
    elements: page(9),
    status: 404,
    says: /no-such-page/,
  },
  {
    service: 'gateway',
    claim: 'other method',
    operation: quiz,
    method: 'PUT',
    status: 404,
    says: /^<!DOCTYPE html>/,
  },
  {
    service: 'gateway',
    claim: 'playback not ended',
    operation: playback,
    elements: session('5210002'),
    status: 409,
    says: /session-open/,
  },
  {
    service: 'gateway',
    claim: 'mp4 not ready',
    operation: mp4,
    elements: session('5210001'),
    status: 404,
    says: /recording-pending/,
  },
  {
    service: 'first-only',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 200,
    says: /"E2004 quiz missing"/,
  },
  {
    service: 'first-only',
    claim: 'other school',
    operation: quiz,
    school: 1,
    status: 200,
    says: /"status":"ok"/,
  },
  {
    service: 'first-only',
    claim: 'malformed JSON',
    operation: quiz,
    body: '{',
    status: 400,
    says: /^Bad Request$/,
  },
  {
    service: 'first-only',
    claim: 'other method',
    operation: quiz,
    method: 'PUT',
    status: 404,
    says: /^Cannot PUT \/public\/get-quiz-details$/,
  },
  { service: 'first-only', claim: 'empty batch', operation: quiz, elements: [], status: 200, says: /^\[\]$/ },
  {
    service: 'first-only',
    claim: 'long body',
    operation: quiz,
    body: 'x'.repeat(102_401),
    status: 413,
    says: /^Payload Too Large$/,
  },
  {
    service: 'first-only',
    claim: 'negative page',
    operation: videos,
    elements: page(-1),
    status: 200,
    says: /"E3001 bad page"/,
  },
  {
    service: 'first-only',
    claim: 'playback not ended',
    operation: playback,
    elements: session('880002'),
    status: 200,
    says: /"E4001 not ready"/,
  },
  {
    service: 'first-only',
    claim: 'mp4 not ready',
    operation: mp4,
    elements: session('880001'),
    status: 200,
    says: /"downloadUrl":null/,
  },
  {
    service: 'first-only',
    claim: 'number as identifier',
    operation: mp4,
    elements: [{ liveEventSessionId: 880_000 }],
    status: 200,
    says: /"downloadUrl":"https/,
  },
  {
    service: 'first-only',
    claim: 'any e-mail',
    operation: hire,
    elements: [{ instructorEmail: 'x' }],
    status: 200,
    says: /"status":"ok"/,
  },
  {
    service: 'drops',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 200,
    says: /"Quiz nowhere was not found"/,
  },
  {
    service: 'drops',
    claim: 'missing parameter',
    operation: quiz,
    elements: [{}],
    status: 200,
    says: /"Invalid parameter quizId"/,
  },
  {
    service: 'drops',
    claim: 'empty batch',
    operation: quiz,
    elements: [],
    status: 400,
    says: /^\{"status":"error"/,
  },
  {
    service: 'drops',
    claim: 'other method',
    operation: quiz,
    method: 'PUT',
    status: 404,
    says: /"There is nothing here"/,
  },
  {
    service: 'drops',
    claim: 'page 0',
    operation: videos,
    elements: page(0),
    status: 200,
    says: /"Invalid parameter pageNumber"/,
  },
  {
    service: 'drops',
    claim: 'mp4 not ended',
    operation: mp4,
    elements: session('session-n-0-1'),
    status: 200,
    says: /"The session has not ended"/,
  },
  {
    service: 'drops',
    claim: 'other school',
    operation: item,
    school: 1,
    status: 200,
    says: /"Course item item-n-0 was not found"/,
  },
  {
    service: 'locked-down',
    claim: 'unknown identifier',
    operation: quiz,
    elements: unknownQuiz,
    status: 200,
    says: /"NOT_FOUND"/,
  },
  {
    service: 'locked-down',
    claim: 'unknown field',
    operation: events,
    elements: [{ a: 1 }],
    status: 200,
    says: /"INVALID"/,
  },
  {
    service: 'locked-down',
    claim: 'large batch',
    operation: quiz,
    elements: [{}, {}, {}, {}],
    status: 400,
    says: /\["body"\]/,
  },
  {
    service: 'locked-down',
    claim: 'batch above the limit',
    operation: events,
    elements: [{}, {}, {}],
    status: 429,
    says: /\["quota"\]/,
  },
  {
    service: 'locked-down',
    claim: 'other method',
    operation: quiz,
    method: 'PUT',
    status: 405,
    says: /\["method"\]/,
  },
  {
    service: 'locked-down',
    claim: 'long body',
    operation: quiz,
    body: 'x'.repeat(65_537),
    status: 413,
    says: /\["body"\]/,
  },
  {
    service: 'locked-down',
    claim: 'page beyond the end',
    operation: videos,
    elements: page(9),
    status: 200,
    says: /"NOT_FOUND"/,
  },
  {
    service: 'locked-down',
    claim: 'write with any body',
    operation: hire,
    body: '{',
    status: 403,
    says: /may not write/,
  },
];

it.each(claims)(
  '$service: $claim',
  async ({ service, operation, elements, school = 0, status, says, ...rest }) => {
    const { post } = await run(services[service]);
    const key = services[service].schools[school]?.apiKeys[0];
    const answer = await post({ operation, key, elements: elements ?? [like(service, operation)], ...rest });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatch(says);
  },
);
