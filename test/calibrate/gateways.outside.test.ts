import { describe, expect, it } from 'vitest';
import { secondSandbox, verdictOn, type Change } from './second-sandbox.ts';

const second = secondSandbox();

/** A gateway with a form of its own for paths that it does not know. */
const ownRoutes: Change = (sent, reply) =>
  sent.url.endsWith('lp-sandbox-calibrate')
    ? Response.json({ trouble: { reason: 'No route matched', status: 404 } }, { status: 404 })
    : reply;

/** Videos in folders that cannot be read. */
const closedFolders: Change = async (sent, reply) =>
  sent.url.endsWith('get-video-library') && /"folderPath":"\/\w/.test(await sent.clone().text())
    ? Response.json([{ output: { status: 'error', errorMessage: 'This folder is closed.' } }])
    : reply;

describe('lp-sandbox calibrate does not conclude', () => {
  it('that a gateway refuses unmatched paths like the service, if both have a form of their own', async () => {
    const options = { refusalBody: 'template', unmatchedBody: 'as-refusals' } as const;
    expect(verdictOn('unmatchedBody', await second.calibrated(options)).option).toBe('as-refusals');
    const done = await second.calibrated(options, { change: ownRoutes });
    expect(verdictOn('unmatchedBody', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /has another form than the refusals of the service: POST .* HTTP 404.*trouble/,
      ),
    });
    expect(done.departures.map(({ service }) => service)).toContain(
      'the members trouble (object), or values of other types',
    );
  });

  it('that statuses are those of the specification, if folders of the library were not read', async () => {
    const done = await second.calibrated({ openValues: 'shown-only' }, { change: closedFolders });
    expect(verdictOn('openValues', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/but only \d+ of \d+ folders of the video library could be read/),
    });
    expect(verdictOn('openValues', await second.calibrated({ openValues: 'shown-only' })).option).toBe(
      'shown-only',
    );
  });

  it('from a status in the last folder that the others have it not', async () => {
    const done = await second.calibrated(
      { openValues: 'shown-only' },
      {
        change: async (sent, reply) => {
          const folder = /"folderPath":"(\/[^"]*)"/.exec(await sent.clone().text())?.[1] ?? '';
          const text = await reply.text();
          const isLast = sent.url.endsWith('get-video-library') && folder.split('/').length > 3;
          return new Response(isLast ? text.replace('"CcFailed"', '"Archived"') : text || null, reply);
        },
      },
    );
    expect(verdictOn('openValues', done).option).toBe('plausible');
  });
});
