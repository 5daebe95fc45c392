import { describe, expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';
import { clock, holdsForRecordings } from './recorded-sessions.ts';
import { missingId } from './unknown-record.ts';

const operation = 'get-signed-url-data-for-live-event-session-playback';
/** Seconds since 1970 of an hour after `clock`: when the URLs of that moment expire. */
const expires = Date.parse('2026-10-12T17:00:00.000Z') / 1000;

interface Source {
  readonly masterM3u8Pathname: string;
  readonly origin: string;
  readonly urlSearchParamString: string;
  readonly clearkeyDecryptionKeyInHex: string;
}

async function sourcesOf({ call }: World, liveEventSessionId: string): Promise<readonly Source[]> {
  // The reply was held against the contract, which requires all four fields.
  return resultOf(await call(operation, { liveEventSessionId }))['playbackSources'] as Source[];
}

describe('get-signed-url-data-for-live-event-session-playback', () => {
  it.each([
    ['one', sessions.oneSource, ['camera']],
    ['two', sessions.twoSources, ['camera', 'screen']],
  ])('gives as many sources as were recorded: %s', async (_, id, names) => {
    const place = await world({ clock });
    expect(await place.sandbox.state.get('liveEventSessions', id)).toHaveProperty('recordedSources', names);
    expect(await sourcesOf(place, id)).toEqual(
      names.map((name) => ({
        masterM3u8Pathname: `/media/${place.sandbox.id}/sessions/${id}/${name}/master.m3u8`,
        origin: place.url,
        urlSearchParamString: expect.stringMatching(
          new RegExp(`^\\?expires=${expires}&signature=[0-9a-f]{64}$`),
        ),
        clearkeyDecryptionKeyInHex: expect.stringMatching(/^[0-9a-f]{32}$/),
      })),
    );
  });

  it('gives parts that make a URL when they are put together', async () => {
    const place = await world();
    for (const { origin, masterM3u8Pathname, urlSearchParamString } of await sourcesOf(
      place,
      sessions.twoSources,
    )) {
      const url = new URL(`${origin}${masterM3u8Pathname}${urlSearchParamString}`);
      expect(url).toMatchObject({ origin, pathname: masterM3u8Pathname, search: urlSearchParamString });
    }
  });

  it('keeps the key of a session, while its signature follows the clock', async () => {
    const place = await world({ clock });
    const [before] = await sourcesOf(place, sessions.oneSource);
    expect(await sourcesOf(place, sessions.oneSource)).toEqual([before]);
    await place.sandbox.clock.advance({ seconds: 60 });
    const [after] = await sourcesOf(place, sessions.oneSource);
    expect(after?.clearkeyDecryptionKeyInHex).toBe(before?.clearkeyDecryptionKeyInHex);
    expect(after?.urlSearchParamString).toContain(`?expires=${expires + 60}&`);
    expect(signatureOf(after)).not.toBe(signatureOf(before));
  });

  it('has a key and a signature of its own for each session', async () => {
    const place = await world({ clock });
    const [[one], [other]] = [
      await sourcesOf(place, sessions.oneSource),
      await sourcesOf(place, sessions.twoSources),
    ];
    expect(one?.clearkeyDecryptionKeyInHex).not.toBe(other?.clearkeyDecryptionKeyInHex);
    expect(signatureOf(one)).not.toBe(signatureOf(other));
  });

  holdsForRecordings(operation);

  it('gives the sources of a future session from its end on, and not a millisecond before', async () => {
    const place = await world({ clock });
    await place.sandbox.clock.set({ mode: 'frozen', now: '2026-10-19T16:00:00.000Z' });
    expect(failureOf(await place.call(operation, { liveEventSessionId: sessions.future }))).toContain(
      'it has not ended',
    );
    await place.sandbox.clock.set({ mode: 'frozen', now: '2026-10-19T16:44:59.999Z' });
    expect(failureOf(await place.call(operation, { liveEventSessionId: sessions.future }))).toContain(
      'it has not ended',
    );
    await place.sandbox.clock.advance({ seconds: 0.001 });
    expect(await sourcesOf(place, sessions.future)).toHaveLength(2);
  });

  it('answers a batch element by element', async () => {
    const { batch } = await world();
    const ids = [sessions.twoSources, sessions.neverRecorded, missingId, sessions.oneSource];
    const outputs = outputsOf(
      await batch(
        operation,
        ids.map((liveEventSessionId) => ({ liveEventSessionId })),
      ),
    );
    expect(outputs).toMatchObject([
      {
        status: 'ok',
        data: { playbackSources: [sourceOf(sessions.twoSources), sourceOf(sessions.twoSources)] },
      },
      { status: 'error', errorMessage: expect.stringContaining('was not recorded') },
      {
        status: 'error',
        errorMessage: `/data/2/data/liveEventSessionId: The school has no live event session with the identifier "${missingId}".`,
      },
      { status: 'ok', data: { playbackSources: [sourceOf(sessions.oneSource)] } },
    ]);
  });

  it('refuses a missing liveEventSessionId with a pointer to it', async () => {
    const { call } = await world();
    expect(failureOf(await call(operation, { sessionId: sessions.oneSource }))).toContain(
      '/data/0/data/liveEventSessionId is required, but missing.',
    );
  });
});

/** A source of a session, whatever else it has. */
function sourceOf(id: string): object {
  return { masterM3u8Pathname: expect.stringContaining(id) };
}

function signatureOf(source: Source | undefined): string | null {
  return new URLSearchParams(source?.urlSearchParamString).get('signature');
}
