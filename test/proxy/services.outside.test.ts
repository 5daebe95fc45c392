import { describe, expect, it, onTestFinished } from 'vitest';
import { plainConnection } from '../../src/http/connection/options.ts';
import * as always200 from '../upstreams/always-200.ts';
import * as drops from '../upstreams/drops.ts';
import * as firstOnly from '../upstreams/first-only.ts';
import * as gateway from '../upstreams/gateway.ts';
import * as jsonErrors from '../upstreams/json-errors.ts';
import * as lockedDown from '../upstreams/locked-down.ts';
import type { School, Upstream } from '../upstreams/plumbing.ts';
import { proxyTo, send, type Proxy } from './upstream.ts';

interface Subject {
  readonly start: () => Promise<Upstream>;
  readonly schools: readonly School[];
  readonly samples: Readonly<Record<string, object>>;
  /** The fields whose values are not of the type that the specification gives them. */
  readonly wrong: readonly string[];
}

/** `wrong` is read from the docstrings; where the specification is silent, nothing is a violation. */
const subjects: Readonly<Record<string, Subject>> = {
  // Null, where the specification has a text.
  'json-errors': { ...jsonErrors, wrong: ['profilePhotoUrl', 'tagline'] },
  'always-200': { ...always200, wrong: [] },
  // An empty text is no date-time.
  gateway: { ...gateway, wrong: ['endedAtIso'] },
  // Numbers and texts for each other.
  'first-only': {
    ...firstOnly,
    wrong: [
      'articleUniqueId',
      'assignmentId',
      'createdAt',
      'lastUpdatedAt',
      'liveEventId',
      'liveEventSessionId',
      'scheduledDurationInSecs',
      'serviceInstructorId',
      'videoId',
    ],
  },
  drops: { ...drops, start: () => drops.start({ rates: drops.calm }), wrong: [] },
  'locked-down': { ...lockedDown, wrong: ['tagline'] },
};

async function started({ start, schools }: Subject): Promise<{ proxy: Proxy; key: string }> {
  const upstream = await start();
  onTestFinished(() => upstream.close());
  const locked = { headers: ['X-Gateway-Key', lockedDown.gatewayKey] };
  const connection = {
    ...plainConnection,
    ...('ca' in upstream ? { ...locked, ca: String(upstream.ca) } : {}),
  };
  return { proxy: await proxyTo(upstream.url, { connection }), key: schools[0]?.apiKeys[0] ?? '' };
}

function bodyOf(...elements: readonly unknown[]): string {
  return JSON.stringify({ data: elements.map((data) => ({ data })) });
}

/** Returns the last names of the pointers of all violations in responses. */
function wrongFields(proxy: Proxy): readonly string[] {
  const found = proxy.journal().flatMap(({ responseViolations = [] }) => responseViolations);
  return [...new Set(found.map(({ pointer, message }) => pointer.split('/').at(-1) || message))].toSorted();
}

describe.each(Object.entries(subjects))('the proxy, with the service %s,', (_, subject) => {
  it('reports no violation in one call of each operation but values of other types', async () => {
    const { proxy, key } = await started(subject);
    for (const [operation, sample] of Object.entries(subject.samples)) {
      const path = `/public/${operation}`;
      const { status } = await send(proxy.url, {
        path,
        body: bodyOf(sample),
        headers: { 'SERVICE-API-KEY': key },
      });
      // The service locked-down takes no writes.
      expect([200, 403]).toContain(status);
    }
    const { wrong } = subject;
    expect(wrongFields(proxy).filter((field) => !wrong.includes(field))).toEqual([]);
    const requests = proxy.journal().flatMap(({ operation, violations }) => violations.map(() => operation));
    // Its sample of a lab has two fields, which are enough.
    expect(requests).toEqual([]);
  });

  it('reports no violation in the responses to usual mistakes', async () => {
    const { proxy, key } = await started(subject);
    const { 'get-quiz-details': quiz } = subject.samples;
    const own = { 'SERVICE-API-KEY': key };
    const unknown = { quizId: 'no-such-quiz' };
    const mistakes: readonly Parameters<typeof send>[1][] = [
      { body: bodyOf(unknown), headers: own },
      { body: bodyOf(quiz, unknown), headers: own },
      { body: bodyOf({ quizId: 42 }), headers: own },
      { body: bodyOf({}), headers: own },
      { body: bodyOf({ ...quiz, further: true }), headers: own },
      { body: bodyOf(), headers: own },
      { body: '{"data":', headers: own },
      { body: '[]', headers: own },
      { body: bodyOf(...Array.from({ length: 30 }, () => quiz)), headers: own },
      { body: bodyOf(quiz).padEnd(1_200_000), headers: own },
      { body: bodyOf(quiz), headers: { ...own, 'Content-Type': 'text/plain' } },
      { body: bodyOf(quiz), headers: { 'SERVICE-API-KEY': '' } },
      { body: bodyOf(quiz), headers: { 'SERVICE-API-KEY': 'a-wrong-key' } },
      { method: 'GET', body: '', headers: own },
      { path: '/public/no-such-operation', body: bodyOf({}), headers: own },
      ...Array.from({ length: 17 }, () => ({
        path: '/public/get-all-live-events',
        body: bodyOf({}),
        headers: own,
      })),
    ];
    for (const mistake of mistakes) await send(proxy.url, mistake);
    expect(wrongFields(proxy).filter((field) => !subject.wrong.includes(field))).toEqual([]);
    expect(proxy.journal().length).toBeGreaterThan(25);
  });
});
