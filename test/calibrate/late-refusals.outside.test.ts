import { describe, expect, it } from 'vitest';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

const refusals: Readonly<Record<string, () => Response>> = {
  'a revoked key': () => Response.json({ message: 'The key was revoked' }, { status: 401 }),
  'another place': () => new Response(null, { status: 307, headers: { Location: '/v3' } }),
  'a page': () => new Response('<h1>Maintenance</h1>', { headers: { 'Content-Type': 'text/html' } }),
  'a missing route': () => Response.json({ message: 'No route' }, { status: 404 }),
  'an error in the outputs': () =>
    Response.json([{ output: { status: 'error', errorMessage: 'The key was revoked' } }]),
};

/** How a calibration ends if the service refuses everything from a call on, and after how many more calls. */
async function refusedFrom(number: number, refuse: () => Response) {
  let count = 0;
  const error: unknown = await second
    .calibrated({}, { change: (_, reply) => ((count += 1) < number ? reply : refuse()) })
    .catch((reason: unknown) => reason);
  return { message: error instanceof Error ? error.message : 'it did not stop', more: count - number };
}

describe('a service that refuses everything in the middle of a calibration', () => {
  it.each(Object.entries(refusals))('stops it after a few calls: %s', async (_, refuse) => {
    for (const number of [12, 37, 61]) {
      const { message, more } = await refusedFrom(number, refuse);
      expect(message).toMatch(
        /^http\S+ no longer accepts calls: get-all-live-events succeeded before, and now returns HTTP .*\. No result was written\. Run this command again when the service accepts them\.$/,
      );
      expect(more).toBeLessThanOrEqual(6);
    }
  });

  it('stops it even at the last call', async () => {
    let count = 0;
    await second.calibrated({}, { change: (_, reply) => ((count += 1), reply) });
    // The last call checks whether the service still accepts calls. The one before it is allowed to pages.
    const { message } = await refusedFrom(count, () => Response.json({ message: 'No' }, { status: 404 }));
    expect(message).toMatch(/no longer accepts calls/);
  });

  it('is not one that refuses an operation alone', async () => {
    const done = await second.calibrated(
      {},
      {
        change: (sent, reply) =>
          sent.url.endsWith('/submit-user-course-item') ? Response.json({}, { status: 403 }) : reply,
      },
    );
    expect(verdictOn('batchProcessing', done).option).toBe(done.options.batchProcessing);
  });
});
