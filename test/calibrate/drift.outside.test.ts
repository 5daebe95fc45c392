import { describe, expect, it } from 'vitest';
import { driftFrom } from '../../src/upstream/calibrate/drift.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

/** The body of a refusal: a message, a code for each kind, and a time. */
async function wrapped(reply: Response): Promise<Response> {
  if (reply.status < 400) return reply;
  const text = (await reply.text()).replaceAll(/.*"errorMessage":"|"\}\}.*/gs, '');
  const error = { code: `E${reply.status}`, text, trace: String(text.length) };
  return Response.json({ success: false, error }, { status: reply.status });
}

const options = {
  operationFailureStatus: 'by-kind',
  invalidParameters: 'http-422',
  unknownId: 'http-404',
} as const;

function isOf(name: string, sent: Request): boolean {
  return name === 'no key' && !sent.headers.has('service-api-key');
}

describe('what changed since a calibration', () => {
  it('is not the template if it fits all refusals of a check with fewer probes', async () => {
    const before = await second.calibrated(options, { change: (_, reply) => wrapped(reply) });
    const now = await second.calibrated(options, {
      change: (_, reply) => wrapped(reply),
      leftOut: ({ name }) =>
        /^(service|live-events|an-identifier|unknown-id)$/.test(name) ? null : 'left out',
    });
    expect(before.templates.refusalTemplate).not.toBe(now.templates.refusalTemplate);
    expect(now.templates.refusalTemplate).toContain('{{message}}');
    const file = { options: {}, templates: before.templates };
    expect(driftFrom(file, now).changes).toEqual([]);
    const other = { refusalTemplate: before.templates.refusalTemplate?.replace('"success"', '"ok"') ?? '' };
    expect(driftFrom({ options: {}, templates: other }, now).changes).toMatchObject([
      { name: 'refusal-template', now: now.templates.refusalTemplate },
    ]);
  });

  it.each([
    ['http-403', () => Response.json({ message: 'Slow down' }, { status: 403 })],
    ['output-error', () => Response.json([{ output: { status: 'error', errorMessage: 'Slow down' } }])],
  ] as const)(
    'is nothing if only the calls before a check have used up a limit: %s',
    async (throttleReply, slowDown) => {
      const beginning = Date.parse('2026-11-20T10:00:00.000Z');
      const now = await second.calibrated(
        { throttleReply, retryAfter: 'none' },
        {
          throttleReply,
          change: (_, reply) => {
            const isEarly = Date.parse(reply.headers.get('date') ?? '') < beginning + 60_000;
            return isEarly ? slowDown() : reply;
          },
        },
      );
      const file = { options: now.options, templates: {} };
      const { changes, unchecked } = driftFrom(file, now);
      expect(changes).toEqual([]);
      expect(unchecked.filter(({ why }) => /refused|contradict/.test(why))).toEqual([]);
    },
  );

  it('is an option of which none matches any more', async () => {
    const now = await second.calibrated(
      {},
      {
        change: (sent, reply) => (isOf('no key', sent) ? Response.json({}, { status: 418 }) : reply),
      },
    );
    const file = { options: { missingKey: 'http-401', invalidKey: 'http-401' }, templates: {} } as const;
    expect(driftFrom(file, now)).toMatchObject({
      changes: [
        {
          name: 'missingKey',
          before: 'http-401',
          now: 'none of the options',
          evidence: [expect.stringMatching(/^the service matches none .* a call without a key: HTTP 418/)],
        },
      ],
      unchecked: [],
    });
  });

  it('is an option that is ruled out, although several others are left', async () => {
    const now = await second.calibrated(
      { maxBatchSize: '25' },
      {
        leftOut: ({ name }) => (name === 'batch-of-26' ? 'left out' : null),
      },
    );
    const { left, option } = verdictOn('maxBatchSize', now);
    const file = { options: { maxBatchSize: 'none' }, templates: {} } as const;
    const changes = option === null && !left.includes('none') ? 1 : Number(option !== null);
    expect(driftFrom(file, now).changes).toHaveLength(changes);
    expect(
      driftFrom(file, {
        ...now,
        verdicts: now.verdicts.map((one) => ({ ...one, option: null, left: ['25', '100'], why: 'x' })),
      }).changes,
    ).toMatchObject([{ name: 'maxBatchSize', before: 'none', now: '25 or 100' }]);
  });
});

describe('lp-sandbox calibrate looks at every refusal', () => {
  it('for messages that are in bodies of another form', async () => {
    const done = await second.calibrated(options, {
      change: async (sent, reply) => {
        if (!sent.url.endsWith('-playback') || reply.status !== 409) return wrapped(reply);
        return Response.json([{ output: { status: 'error', errorMessage: 'not yet' } }], { status: 409 });
      },
    });
    expect(verdictOn('failureMessages', done).option).toBe('descriptive');
  });

  it('and does not call one failure generic', async () => {
    const done = await second.calibrated(options, {
      leftOut: ({ name }) =>
        ['service', 'live-events', 'recording', 'unfinished-session', 'messages'].includes(name)
          ? null
          : 'left out',
      change: (sent, reply) =>
        sent.url.endsWith('-playback') && reply.status === 409
          ? Response.json([{ output: { status: 'error', errorMessage: 'not yet' } }], { status: 409 })
          : reply,
    });
    expect(verdictOn('failureMessages', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /messages: too few failures came with a message: for a future session: "not yet"/,
      ) as unknown,
    });
  });

  it('for the place of failures: a refusal of every invalid value is not their form', async () => {
    const done = await second.calibrated(
      {
        ...options,
        unknownId: 'element-error',
        refusalBody: 'message-json',
        operationFailureBody: 'envelope',
      },
      {
        change: (_, reply) =>
          reply.status === 422 ? Response.json({ message: 'limit is wrong' }, { status: 422 }) : reply,
      },
    );
    expect(verdictOn('operationFailureBody', done).option).toBe('envelope');
    expect(verdictOn('refusalBody', done).option).toBe('message-json');
  });
});
