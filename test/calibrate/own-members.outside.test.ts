import { describe, expect, it } from 'vitest';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** Adds members to the message of every refusal. */
const adding =
  (membersFor: (sent: Request, status: number, message: string) => object): Change =>
  async (sent, reply) => {
    if (reply.status < 400) return reply;
    const body: unknown = JSON.parse(await reply.clone().text());
    if (typeof body !== 'object' || body === null || !('message' in body)) return reply;
    const members = membersFor(sent, reply.status, String(body.message));
    return Response.json(
      { ...members, message: body.message },
      { status: reply.status, headers: reply.headers },
    );
  };

/** As in Spring Boot. */
const withPath = adding((sent, status) => ({ status, error: 'Refused', path: new URL(sent.url).pathname }));

/** The refusals of a service name the path, and those of its gateway a request. */
const twoForms = adding((sent, status, message) =>
  [401, 403, 429].includes(status)
    ? { request_id: `r-${message.length}-${Math.random().toString(36).slice(2)}` }
    : { status, path: new URL(sent.url).pathname },
);

const onlyOfService: Change = (sent, reply) =>
  [401, 403, 429].includes(reply.status) ? reply : withPath(sent, reply);

const options = { refusalBody: 'message-json', operationFailureStatus: 'by-kind' } as const;

describe('lp-sandbox calibrate finds a template', () => {
  it('if every refusal has the same members beside the message', async () => {
    const done = await second.calibrated(options, { change: withPath });
    expect(verdictOn('refusalBody', done).option).toBe('template');
    expect(verdictOn('gatewayRefusalBody', done).option).toBe('as-refusals');
    expect(done.templates).toEqual({
      refusalTemplate: '{"status":{{status}},"error":"Refused","path":"{{path}}","message":"{{message}}"}',
    });
    expect(done.departures.map(({ what }) => what)).not.toContain('members of a refusal');
    // Compare finds no difference in them.
    expect(done.departures.filter(({ sandbox }) => sandbox.includes('template'))).toEqual([]);
  });

  it('and names refusals of malformed bodies that have other members', async () => {
    const change = adding((sent, status) => ({
      status,
      ...(sent.headers.get('content-type') === 'text/plain' ? { hint: 'Send JSON' } : { path: '/here' }),
    }));
    const { departures } = await second.calibrated(options, { change });
    expect(departures.filter(({ sandbox }) => sandbox.includes('template'))).toEqual([
      {
        what: 'a refusal, such as one with HTTP 415',
        service: 'the members hint, message, status (number), or values of other types',
        sandbox: 'its template',
        count: 1,
      },
    ]);
  });

  it('for a gateway, too, if its refusals have other members than those of the service', async () => {
    const done = await second.calibrated(options, { change: twoForms });
    expect(verdictOn('refusalBody', done).option).toBe('template');
    expect(verdictOn('gatewayRefusalBody', done).option).toBe('template');
    expect(done.templates).toEqual({
      refusalTemplate: '{"status":{{status}},"path":"{{path}}","message":"{{message}}"}',
      gatewayTemplate: '{"request_id":"{{requestId}}","message":"{{message}}"}',
    });
  });

  it('only for the service, if its gateway sends the message alone', async () => {
    const done = await second.calibrated(options, { change: onlyOfService });
    expect(verdictOn('refusalBody', done).option).toBe('template');
    expect(verdictOn('gatewayRefusalBody', done).option).toBe('message-json');
  });

  it('with a code that is the same in all refusals but those of unmatched paths, as those have one status', async () => {
    const done = await second.calibrated(
      {
        refusalBody: 'template',
        gatewayRefusalBody: 'html',
        unmatchedBody: 'as-refusals',
        malformedBody: 'output-error',
        invalidParameters: 'http-400',
        unknownId: 'synthesise',
        operationFailureStatus: 'by-kind',
        maxBatchSize: '1',
      },
      {
        known: {},
        keys: { own: 'sbx_default_hillcrest', second: null, other: null },
        leftOut: ({ waits }) => (waits === undefined ? null : 'long'),
      },
    );
    expect(verdictOn('unmatchedBody', done).option).toBe('as-refusals');
    expect(done.templates).toEqual({ refusalTemplate: '{"code":"{{code}}","text":"{{message}}"}' });
  });

  it('not if refusals have different members, which it names', async () => {
    const some = adding((_, __, message) => (message.length % 2 === 0 ? { errors: ['wrong'] } : {}));
    const done = await second.calibrated(options, { change: some });
    expect(verdictOn('refusalBody', done).option).toBe('message-json');
    expect(done.templates).toEqual({});
    expect(done.departures.map(({ what }) => what)).toContain('members of a refusal');
  });
});

/** Refuses far pages in a way that no option has. */
const teapot: Change = async (sent, reply) =>
  (await sent.text()).includes('9999') ? Response.json({ message: 'No' }, { status: 418 }) : reply;

it('lp-sandbox calibrate masks what a service sends, and never its own words, whatever the key is', async () => {
  const foundWith = async (own: string) => {
    const { departures, verdicts } = await second.calibrated(options, {
      change: teapot,
      keys: { own, second: null, other: null },
      keyFor: new Map([[own, second.keys.own]]),
      leftOut: ({ waits }) => (waits === undefined ? null : 'long'),
    });
    return { departures, whys: verdicts.map(({ why }) => why) };
  };
  const usual = await foundWith(second.keys.own);
  expect(usual.departures).toContainEqual({
    what: 'page 9999 of the permission presets',
    service: '418 !message-json',
    sandbox: expect.any(String),
    count: 1,
  });
  for (const own of ['permission', 'instructors', 'message-json', 'number'])
    expect(await foundWith(own)).toEqual(usual);
});
