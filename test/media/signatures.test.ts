import { describe, expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { world } from '../support/world.ts';
import { files, frozen, recorded, recordedIn, type Recorded } from './recorded.ts';

/** How each file of a recording answers to a query. */
async function answers(
  recording: Recorded,
  query: string,
  method = 'GET',
): Promise<readonly (readonly [string, number, string])[]> {
  const fetched = await Promise.all(
    files.map(async (file) => ({ file, ...(await recording.get(file, query, { method })) })),
  );
  return fetched.map(({ file, status, detail }) => [file, status, detail]);
}

/** The same answer for every file. */
function always(status: number, detail: unknown): readonly unknown[] {
  return files.map((file) => [file, status, detail]);
}

const untilTen = Date.parse(frozen.clock.now) / 1000 + 3600;
const isInvalid = expect.stringMatching(
  /^The signature is invalid: .* Append urlSearchParamString unchanged and only once\.$/,
);

const altered: readonly (readonly [string, (query: string) => string])[] = [
  ['its last digit is another one', (query) => query.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
  [
    'its first digit is another one',
    (query) => query.replace(/(?<=signature=)./, (digit) => (digit === '0' ? '1' : '0')),
  ],
  ['it is in capitals', (query) => query.replace(/(?<=signature=).*/, (digits) => digits.toUpperCase())],
  ['it is too short', (query) => query.slice(0, -1)],
  ['it is too long', (query) => `${query}0`],
  ['it is empty', (query) => query.replace(/(?<=signature=).*/, '')],
  ['it is not ASCII', (query) => query.replace(/(?<=signature=)../, '%C3%A9')],
  ['the query is appended twice', (query) => `${query}${query}`],
  ['it expires later than was signed', (query) => query.replace(String(untilTen), String(untilTen + 1))],
  ['it expires earlier than was signed', (query) => query.replace(String(untilTen), String(untilTen - 1))],
  ['it expires long before', (query) => query.replace(String(untilTen), '0')],
  ['the same number is written in another way', (query) => query.replace('expires=', 'expires=0')],
  ['it expires at no number', (query) => query.replace(String(untilTen), 'never')],
  ['it expires at a number beyond all dates', (query) => query.replace(String(untilTen), '9'.repeat(400))],
  ['it expires at nothing', (query) => query.replace(String(untilTen), '')],
];

describe('a signed URL', () => {
  it('is there of every kind of file', () => {
    const ends = files.map((file) => file.split('.').at(-1));
    expect(
      Object.fromEntries(
        ['m3u8', 'ts', 'key', 'mp4'].map((end) => [end, ends.filter((one) => one === end).length]),
      ),
    ).toEqual({
      m3u8: 6,
      ts: 12,
      key: 2,
      mp4: 1,
    });
  });

  it.each(['GET', 'HEAD'])(
    'opens every file of both sources and the mp4 to %s, by the one query of the session',
    { tags: ['slow'] },
    async (method) => {
      const recording = await recorded();
      expect(await answers(recording, recording.query, method)).toEqual(always(200, ''));
      expect(new Set(recording.sources.map(({ urlSearchParamString }) => urlSearchParamString))).toEqual(
        new Set([recording.query]),
      );
      expect(recording.downloadUrl).toBe(
        `${recording.url}${recording.folder}recording.mp4${recording.query}`,
      );
    },
  );

  it('opens whatever else is in the query, the order of its parts included', { tags: ['slow'] }, async () => {
    const recording = await recorded();
    const [expires = '', signature = ''] = recording.query.slice(1).split('&');
    for (const query of [
      `?${signature}&${expires}`,
      `${recording.query}&t=10`,
      `?t=10&${expires}&x&${signature}`,
    ])
      expect(await answers(recording, query)).toEqual(always(200, ''));
  });

  it('goes by the first of several parts with one name', { tags: ['slow'] }, async () => {
    const recording = await recorded();
    expect(await answers(recording, `${recording.query}&expires=1&signature=2`)).toEqual(always(200, ''));
    expect(await answers(recording, `?expires=1&${recording.query.slice(1)}`)).toEqual(
      always(403, isInvalid),
    );
  });
});

const expired = (late: number): string =>
  `The URL expired at 2026-11-20T11:00:00.000Z, ${late} s ago on the sandbox's clock. Call the operation again for a new one.`;

describe('is refused by every file', () => {
  it.each([
    ['without a query', () => '', 'it has no expires and no signature. Append'],
    ['without expires', (query: string) => query.replace(/expires=\d+&/, ''), 'it has no expires. Append'],
    [
      'without a signature',
      (query: string) => query.replace(/&signature=.*/, ''),
      'it has no signature. Append',
    ],
    [
      'with two question marks',
      (query: string) => `?${query}`,
      'it has no expires. You sent "?expires": did you mean "expires"? Append',
    ],
    [
      'with a slip',
      (query: string) => query.replace('signature', 'signatur'),
      'You sent "signatur": did you mean "signature"? Append',
    ],
  ])('a URL %s', { tags: ['slow'] }, async (_, change, reason) => {
    const recording = await recorded();
    const query = change(recording.query);
    expect(await answers(recording, query)).toEqual(always(403, expect.stringContaining(reason)));
    expect(await answers(recording, query, 'HEAD')).toEqual(always(403, ''));
  });

  it.each(altered)('an altered signature: %s', async (_, change) => {
    const recording = await recorded();
    expect(change(recording.query)).not.toBe(recording.query);
    expect(await answers(recording, change(recording.query))).toEqual(always(403, isInvalid));
  });

  it('the signature of another session, which it names', { tags: ['slow'] }, async () => {
    const recording = await recorded();
    const other = await recordedIn(recording, sessions.oneSource);
    const reason = `The signature is for another path: it gives access to ${other.folder}, but this URL is under ${recording.folder}.`;
    expect(await answers(recording, other.query)).toEqual(always(403, reason));
    // The right one for what it names, as long as it is good.
    await recording.sandbox.clock.advance({ seconds: 3600 });
    expect(await answers(recording, other.query)).toEqual(always(403, reason));
  });

  it("the signature of another school's session", async () => {
    const recording = await recorded();
    const other = await recordedIn(recording, 'af0e5d264debd61ee7a815d4', 'hillcrest');
    expect(await answers(recording, other.query)).toEqual(
      always(403, expect.stringContaining('is for another path')),
    );
  });

  it('the signature of the same session in another sandbox', async () => {
    const [recording, other] = [await recorded(), await recorded()];
    expect(other.query).not.toBe(recording.query);
    expect(await answers(recording, other.query)).toEqual(always(403, isInvalid));
  });

  it('the signature of a sandbox of the same name that had another secret', { tags: ['slow'] }, async () => {
    const first = await recorded({ ...frozen, id: 'one-name-two-secrets', randomSeed: 1 });
    await first.sandbox.remove();
    const second = await recorded({ ...frozen, id: 'one-name-two-secrets', randomSeed: 2 });
    expect(second.folder).toBe(first.folder);
    expect(await answers(second, first.query)).toEqual(always(403, isInvalid));
    expect(await answers(second, second.query)).toEqual(always(200, ''));
  });

  it('an expired URL, saying when it expired', { tags: ['slow'] }, async () => {
    const recording = await recorded();
    await recording.sandbox.clock.advance({ seconds: 3599.999 });
    expect(await answers(recording, recording.query)).toEqual(always(200, ''));
    await recording.sandbox.clock.advance({ seconds: 0.001 });
    expect(await answers(recording, recording.query)).toEqual(always(403, expired(0)));
    await recording.sandbox.clock.advance({ seconds: 86_400 });
    expect(await answers(recording, recording.query)).toEqual(always(403, expired(86_400)));
    expect(await answers(recording, recording.query, 'HEAD')).toEqual(always(403, ''));
    expect(await answers(await recordedIn(recording), (await recordedIn(recording)).query)).toEqual(
      always(200, ''),
    );
  });
});

describe('a lifetime', () => {
  it.each([
    ['1h', 3600],
    ['5m', 300],
    ['15s', 15],
  ] as const)('of %s ends after %i seconds', async (signedUrlLifetime, seconds) => {
    const recording = await recorded({ ...frozen, assumptions: { signedUrlLifetime } });
    await recording.sandbox.clock.advance({ seconds: seconds - 0.001 });
    expect((await recording.get('camera/master.m3u8')).status).toBe(200);
    await recording.sandbox.clock.advance({ seconds: 0.001 });
    expect((await recording.get('camera/master.m3u8')).detail).toContain('The URL expired at');
  });

  it('that was signed holds, whichever is chosen later', async () => {
    const recording = await recorded();
    await recording.sandbox.assumptions.choose({ signedUrlLifetime: '15s' });
    await recording.sandbox.clock.advance({ seconds: 16 });
    expect((await recording.get('recording.mp4')).status).toBe(200);
  });

  it('ends on a clock that runs, too', async () => {
    const recording = await recorded({});
    expect((await recording.get('recording.mp4')).status).toBe(200);
    await recording.sandbox.clock.advance({ seconds: 3601 });
    expect((await recording.get('recording.mp4')).detail).toContain('The URL expired at');
  });

  it.each(['0001-01-01T00:00:00.000Z', '1969-12-31T23:00:00.000Z', '9999-12-31T22:59:59.000Z'])(
    'begins and ends at whatever time the clock shows: %s',
    async (now) => {
      const place = await world({ clock: { mode: 'frozen', now } });
      // Over since before the first moment of all.
      await place.sandbox.state.patch('liveEventSessions', sessions.twoSources, {
        endsAtIso: '0001-01-01T00:00:00.000Z',
      });
      const recording = await recordedIn(place);
      expect((await recording.get('camera/high-0.ts')).status).toBe(200);
      await place.sandbox.clock.advance({ seconds: 3600 });
      expect((await recording.get('camera/high-0.ts')).detail).toContain('The URL expired at');
    },
  );
});
