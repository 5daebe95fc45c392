import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/is-object.ts';
import type { PartialOptions } from '../../src/assumptions.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { secondSandbox, type Change } from '../calibrate/second-sandbox.ts';
import { isAnnounced } from './announced.ts';
import { inBodies, inMembers, taking, withHeaders } from './changes.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();
const second = secondSandbox();

interface Oddity {
  readonly does: string;
  readonly change: Change;
  readonly options?: PartialOptions;
}

/** Refuses an unknown identifier in one operation only. */
function refusingUnknown(operation: string): Change {
  return async (sent, reply) => {
    const text = await reply.text();
    const isFailure = /^\[\{"output":\{"status":"error"[^\]]*\]$/.test(text);
    return sent.url.endsWith(`/${operation}`) && isFailure
      ? Response.json({ message: 'Nothing here' }, { status: 404 })
      : new Response(text || null, reply);
  };
}

/** Refuses calls with some bodies. */
function refusing(body: RegExp, status: number): Change {
  return async (sent, reply) => {
    if (sent.method !== 'POST' || reply.status === 401 || !body.test(await sent.clone().text())) return reply;
    return Response.json({ message: 'No' }, { status });
  };
}

/** Changes the headers of some responses. */
function having(
  isIt: (sent: Request, reply: Response) => boolean,
  headers: Readonly<Record<string, string>>,
): Change {
  return (sent, reply) => (isIt(sent, reply) ? withHeaders(reply, headers) : reply);
}

function succeeding(operation: string, status: number): Change {
  return (sent, reply) =>
    sent.url.endsWith(`/${operation}`) && reply.status === 200
      ? new Response(reply.body, { status, headers: reply.headers })
      : reply;
}

const withoutEmptyLists = inBodies((body) =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"(?:videoData|presets)":\[\](,?)/g, '')
      .replaceAll(',}', '}'),
  ),
);

const withoutLimits: Change = (sent, reply) =>
  sent.url.endsWith('-processed-mp4')
    ? withHeaders(reply, {
        'X-RateLimit-Limit': null,
        'X-RateLimit-Remaining': null,
        'X-RateLimit-Reset': null,
      })
    : reply;

const isPreflight = ({ method }: Request): boolean => method === 'OPTIONS';
const isHtml = (_: Request, reply: Response): boolean =>
  reply.headers.get('content-type')?.startsWith('text/html') === true;

const oddities: readonly Oddity[] = [
  {
    does: 'has other members in permissions',
    options: { permissionShape: 'objects' },
    change: inMembers('permissions', () => [{ permission: 'courses:read' }]),
  },
  { does: 'sends numbers as permissions', change: inMembers('permissions', () => [7]) },
  {
    does: 'leaves empty lists out of results, too',
    options: { responseFields: 'not-empty' },
    change: withoutEmptyLists,
  },
  { does: 'leaves only empty lists out', change: withoutEmptyLists },
  {
    does: 'sends a type with the empty response to a preflight request',
    options: { cors: 'any-origin' },
    change: having(isPreflight, { 'Content-Type': 'application/json' }),
  },
  {
    does: 'sends the limit with the response to a preflight request',
    options: { cors: 'any-origin' },
    change: having(isPreflight, { 'RateLimit-Limit': '60' }),
  },
  {
    does: 'sends the limits of a minute beside those of the draft',
    options: { rateLimitHeaders: 'ratelimit' },
    change: having(() => true, { 'X-RateLimit-Limit-Minute': '60', 'X-RateLimit-Remaining-Minute': '59' }),
  },
  {
    does: 'sends the limit with a dash in its name',
    change: having((_, { status }) => status === 200, { 'X-Rate-Limit-Limit': '60' }),
  },
  { does: 'sends Retry-After with every response', change: having(() => true, { 'Retry-After': '1' }) },
  {
    does: 'sends a charset with HTML',
    options: { refusalBody: 'html' },
    change: having(isHtml, { 'Content-Type': 'text/html; charset=iso-8859-1' }),
  },
  {
    does: 'sends the times of an instructor in two forms',
    change: inMembers('lastUpdatedAt', () => '1700000000000'),
  },
  {
    does: 'sends a URL as the path of a playlist',
    change: inMembers('masterM3u8Pathname', (path) => `https://cdn.example${String(path)}`),
  },
  ...[
    'get-quiz-details',
    'get-course-item-data',
    'get-signed-url-data-for-live-event-session-playback',
    'list-assignments',
  ].map((operation) => ({
    does: `refuses unknown identifiers with 404 only in ${operation}`,
    change: refusingUnknown(operation),
  })),
  { does: 'refuses an empty body with 411', change: refusing(/^$/, 411) },
  { does: 'refuses a body without a data array with 422', change: refusing(/^\{\}$/, 422) },
  { does: 'refuses data that is not a list with 422', change: refusing(/^\{"data":\{\}\}$/, 422) },
  {
    does: 'takes data that is not a list for one element',
    change: taking(/^\{"data":\{\}\}$/g, '{"data":[{"data":{"pageNumber":1,"limit":2}}]}'),
  },
  { does: 'refuses a page before the first one', change: refusing(/"pageNumber":-1/, 422) },
  { does: 'refuses page 0 of the library', change: refusing(/"filterTerm":"","pageNumber":0/, 400) },
  {
    does: 'does not look at the empty name of an instructor who exists',
    options: { emptyInstructorName: 'element-error' },
    change: taking(/(?<="instructorEmail":"(?:ines|lp-sandbox-calibrate)[^"]*"),"instructorName":""/g, ''),
  },
  {
    does: 'sends a field beyond the contract with every result',
    change: inBodies((body) =>
      JSON.parse(
        JSON.stringify(body, (name, value: unknown) =>
          name === 'data' && isObject(value) ? { ...value, extra: 1 } : value,
        ),
      ),
    ),
  },
  { does: 'responds to a creation with 201', change: succeeding('create-instructor-account', 201) },
  { does: 'responds to a quiz with 203', change: succeeding('get-quiz-details', 203) },
  {
    does: 'sends no limit with the mp4',
    options: { rateLimitHeaders: 'x-ratelimit' },
    change: withoutLimits,
  },
];

/** Returns what calibrate announces, and what compare finds with the options of calibrate. */
async function bothOf({ change, options = {} }: Oddity) {
  const calibration = await second.calibrated(options, { change });
  const found = Object.fromEntries(
    calibration.verdicts.flatMap(({ name, option }) => (option === null ? [] : [[name, option]])),
  );
  const calls = [...exampleCalls(), ...mistakeCalls()];
  const { differences } = await two.compared(options, found, { calls, probes: null }, change);
  return { calibration, differences };
}

describe('calibrate announces what compare finds', () => {
  it.each(oddities)('of a service that $does', async (oddity) => {
    const { calibration, differences } = await bothOf(oddity);
    expect(differences).not.toEqual([]);
    expect(differences.filter((one) => !isAnnounced(one, calibration))).toEqual([]);
  });
});

const harmless: readonly Oddity[] = [
  {
    does: 'declares text as HTML',
    options: { refusalBody: 'html' },
    change: async (sent, reply) => (isHtml(sent, reply) ? new Response('No ticket', reply) : reply),
  },
  {
    does: 'writes times in lower case',
    change: inMembers('createdAtIso', (time) => String(time).toLowerCase()),
  },
];

describe('neither calibrate nor compare finds a difference', () => {
  it.each(harmless)('of a service that $does', async (oddity) => {
    const { calibration, differences } = await bothOf(oddity);
    expect(differences).toEqual([]);
    expect([...calibration.beyond, ...calibration.departures]).toEqual([]);
  });
});
