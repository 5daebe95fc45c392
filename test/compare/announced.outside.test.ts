import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { secondSandbox, type Change } from '../calibrate/second-sandbox.ts';
import { isAnnounced } from './announced.ts';
import { inBodies, inMembers, taking, withHeaders } from './changes.ts';
import { twoSandboxes } from './two-sandboxes.ts';

const two = twoSandboxes();
const second = secondSandbox();

/** Adds a member to the output of each failure. */
const withCode = inBodies((body) =>
  JSON.parse(
    JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'errorMessage' in value ? { ...value, code: 7 } : value,
    ),
  ),
);

/** Accepts a body of any type, as if it were declared as JSON. */
const anyType: Change = async (sent, reply) => {
  if (reply.status !== 415) return reply;
  const headers = new Headers(sent.headers);
  const body = await sent.clone().text();
  if (!body.startsWith('{"data":[')) return reply;
  headers.set('Content-Type', 'application/json');
  return fetch(new Request(sent.url, { method: 'POST', headers, body }));
};

/** Returns a change of what is sent in place of the mp4 of a session without a recording. */
function withoutMp4(output: object, status: number): Change {
  return async (sent, reply) => {
    const text = await reply.text();
    const isPending = sent.url.endsWith('-processed-mp4') && /has no recording|"downloadUrl":""/.test(text);
    return isPending ? Response.json([{ output }], { status }) : new Response(text || null, reply);
  };
}

interface Oddity {
  readonly does: string;
  readonly change: Change;
  readonly options?: PartialOptions;
}

const oddities: readonly Oddity[] = [
  {
    does: 'sends no WWW-Authenticate',
    change: (_, reply) => withHeaders(reply, { 'WWW-Authenticate': null }),
  },
  {
    does: 'asks for another scheme',
    change: (_, reply) =>
      reply.status === 401 ? withHeaders(reply, { 'WWW-Authenticate': 'Bearer realm="x"' }) : reply,
  },
  { does: 'accepts a body of the type text/plain', change: anyType },
  {
    does: 'refuses a body of the type text/plain with 400',
    change: (_, reply) =>
      reply.status === 415 ? new Response(reply.body, { status: 400, headers: reply.headers }) : reply,
  },
  { does: 'sends a code with each failure', change: withCode },
  {
    does: 'sends a request id in refusals',
    options: { refusalBody: 'message-json', gatewayRefusalBody: 'message-json' },
    change: inBodies((body) => (Array.isArray(body) ? body : { ...(body as object), requestId: 'x' })),
  },
  {
    does: 'sends no instance in problem documents',
    options: { refusalBody: 'problem-json' },
    change: inMembers('instance', () => undefined),
  },
  {
    does: 'lists no violations in problem documents',
    options: { refusalBody: 'problem-json' },
    change: inMembers('violations', () => undefined),
  },
  {
    does: 'is behind a gateway that refuses unmatched paths in a form of its own',
    options: { refusalBody: 'template', unmatchedBody: 'as-refusals' },
    change: async (sent, reply) =>
      reply.status === 404 &&
      sent.method === 'POST' &&
      /"text":"[^"]*(?:path|operation)/i.test(await reply.clone().text())
        ? Response.json({ trouble: { reason: 'No route matched', status: 404 } }, { status: 404 })
        : reply,
  },
  {
    does: 'does not name the methods of a preflight request',
    options: { cors: 'any-origin' },
    change: (_, reply) => withHeaders(reply, { 'Access-Control-Allow-Methods': null }),
  },
  {
    does: 'names the origin of the page, and answers a preflight request with 200',
    options: { cors: 'any-origin' },
    change: (sent, reply) => {
      const allowed = sent.headers.get('origin');
      const named = allowed === null ? reply : withHeaders(reply, { 'Access-Control-Allow-Origin': allowed });
      return reply.status === 204 ? new Response(null, { status: 200, headers: named.headers }) : named;
    },
  },
  {
    does: 'names no method with 405',
    change: (_, reply) => withHeaders(reply, { Allow: null }),
  },
  {
    does: 'sends times without a zone',
    change: inMembers('scheduledStartAtIso', (value) => String(value).replace(/\.\d+Z$/, '')),
  },
  { does: 'sends links as paths', change: inMembers('link', () => '/events/one') },
  { does: 'sends another address than an e-mail address', change: inMembers('email', () => 'tel-555') },
  { does: 'sends no slug', change: inMembers('slug', () => undefined) },
  { does: 'sends numbers as identifiers', change: inMembers('videoId', () => 12) },
  {
    does: 'sends another type of JSON',
    change: (_, reply) =>
      (reply.headers.get('content-type') ?? '').startsWith('application/json')
        ? withHeaders(reply, { 'Content-Type': 'text/json' })
        : reply,
  },
  {
    does: 'sends a policy beside the headers of the limit',
    options: { rateLimitHeaders: 'x-ratelimit' },
    change: (_, reply) =>
      reply.headers.has('x-ratelimit-limit') ? withHeaders(reply, { 'RateLimit-Policy': '15;w=60' }) : reply,
  },
  {
    does: 'begins every body with a byte order mark',
    change: async (_, reply) => {
      const text = await reply.text();
      return new Response(text === '' ? null : `\u{feff}${text}`, reply);
    },
  },
  {
    does: 'does not check the type of a page',
    change: taking(/"pageNumber":"(?:one|\d+)"/g, '"pageNumber":1'),
  },
  {
    does: 'takes text as a page in the video library only',
    change: taking(/(?<="filterTerm":"",)"pageNumber":"1"/g, '"pageNumber":1'),
  },
  {
    does: 'takes a number as an identifier that is unknown, but refuses other invalid parameters',
    options: { invalidParameters: 'http-422' },
    change: taking(/(?<=Id":)(?:42|1|"")(?=\D)/g, '"66a1f0c2d4e5b6978810ffff"'),
  },
  {
    does: 'has no playback sources for a session that has not ended, but refuses its mp4',
    options: { unfinishedSession: 'empty-sources' },
    change: withoutMp4({ status: 'error', errorMessage: 'The recording is pending.' }, 404),
  },
  {
    does: 'refuses the playback of a session that has not ended, but sends an empty URL of its mp4',
    options: { operationFailureStatus: 'by-kind' },
    change: withoutMp4({ status: 'ok', data: { downloadUrl: '' } }, 200),
  },
];

describe('calibrate announces what compare finds', () => {
  it.each(oddities)('of a service that $does', async ({ change, options = {} }) => {
    const calibration = await second.calibrated(options, { change });
    expect([...calibration.departures, ...calibration.beyond]).not.toEqual([]);
    const found = Object.fromEntries(
      calibration.verdicts.flatMap(({ name, option }) => (option === null ? [] : [[name, option]])),
    );
    const calls = [...exampleCalls(), ...mistakeCalls()];
    const { differences } = await two.compared(options, found, { calls, probes: null }, change);
    expect(differences).not.toEqual([]);
    expect(differences.filter((one) => !isAnnounced(one, calibration))).toEqual([]);
  });
});
