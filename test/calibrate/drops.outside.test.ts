import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/assumptions.ts';
import { operationFacts } from '../../src/contract/generated/facts.ts';
import { isOperationName } from '../../src/contract/operation-types.ts';
import { probes } from '../../src/upstream/calibrate/probes/index.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

function dropped(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed', { cause: new Error('socket hang up') }));
}

function isReading({ url, method }: Request): boolean {
  const operation = url.split('/').at(-1) ?? '';
  return method === 'POST' && isOperationName(operation) && !operationFacts[operation].writes;
}

/** The probes that count calls have a test of their own. */
const quick = {
  leftOut: (probe: { readonly waits?: number }) => (probe.waits === undefined ? null : 'long'),
};

describe('dropped connections', () => {
  it('of calls that read lose and change nothing', async () => {
    const whole = await second.calibrated({}, quick);
    let count = 0;
    let drops = 0;
    const again = await second.calibrated(
      {},
      {
        ...quick,
        change: (sent, reply) => {
          if (!isReading(sent)) return reply;
          count += 1;
          if (count % 3 !== 1) return reply;
          drops += 1;
          return dropped();
        },
      },
    );
    expect(drops).toBeGreaterThan(20);
    expect(again.verdicts.map(({ name, option }) => [name, option])).toEqual(
      whole.verdicts.map(({ name, option }) => [name, option]),
    );
  });

  it('of single calls that write leave only their probes without a result', async () => {
    const writing = new Set([
      'update-interactive-coding-lab',
      'update-digital-product-coupon',
      'submit-user-course-item',
    ]);
    const counts = new Map<string, number>();
    const done = await second.calibrated(
      {},
      {
        ...quick,
        change: ({ url }, reply) => {
          const operation = url.split('/').at(-1) ?? '';
          counts.set(operation, (counts.get(operation) ?? 0) + 1);
          return writing.has(operation) && counts.get(operation) === 1 ? dropped() : reply;
        },
      },
    );
    const lost = done.verdicts.filter(({ why }) => why?.includes('socket hang up'));
    expect(lost.length).toBeGreaterThan(1);
    const last = probes.findLast(({ waits, tells }) => waits === undefined && tells.length > 0);
    for (const name of last?.tells ?? []) expect(verdictOn(name, done).option).not.toBeNull();
  });

  it('of a probe that counts calls make it start again', async () => {
    let count = 0;
    const done = await second.calibrated(
      {},
      {
        change: (sent, reply) => {
          if (sent.url.endsWith('get-all-live-events')) count += 1;
          return count === 9 ? ((count += 1), dropped()) : reply;
        },
      },
    );
    expect(verdictOn('throttleReply', done).option).toBe('http-429');
    expect(verdictOn('rateLimitWindow', done).option).not.toBeNull();
  });
});

/** Changes what a successful element returns. */
async function withResults(operation: string, change: (data: Record<string, unknown>) => object) {
  return second.calibrated(
    {},
    {
      ...quick,
      change: async (sent, reply) => {
        if (!sent.url.endsWith(operation)) return reply;
        const body = (await reply.json()) as { output?: { status: string; data: Record<string, unknown> } }[];
        if (!Array.isArray(body)) return Response.json(body, { status: reply.status });
        const changed = body.map((member) =>
          member.output?.status === 'ok'
            ? { output: { ...member.output, data: change(member.output.data) } }
            : member,
        );
        return Response.json(changed, { status: reply.status });
      },
    },
  );
}

describe('the reason why an option is not known', () => {
  it('is not missing if a number of the video library is text: the pages show as much', async () => {
    const done = await withResults('get-video-library', (data) => ({
      ...data,
      totalResults: String(data['totalResults']),
    }));
    for (const name of [
      'videoPageSize',
      'folderListing',
      'folderMatching',
      'filterMatching',
      'omittedFolderPath',
      'filteredFolders',
      'unknownFolder',
    ] as const)
      expect(verdictOn(name, done)).toMatchObject({ option: assumptions[name].default, why: null });
  });

  it('is not missing if the number of presets is text: the pages show as much', async () => {
    const done = await withResults('get-instructor-permission-presets', (data) => ({
      ...data,
      totalPresetCount: String(data['totalPresetCount']),
    }));
    expect(verdictOn('presetPageSize', done).option).toBe('20');
    expect(verdictOn('fractionalLimit', done).option).toBe('floor');
  });

  it('is only what is wrong with a session', async () => {
    const done = await withResults(
      'get-all-live-events',
      (data) =>
        JSON.parse(
          JSON.stringify(data).replaceAll(/"liveEventSessionId":"[^"]*"/g, '"liveEventSessionId":7'),
        ) as object,
    );
    expect(verdictOn('unendedSessionEnd', done).why).toBe(
      'live-events: no session could be read: liveEventSessionId is 7, which is not text',
    );
  });
});
