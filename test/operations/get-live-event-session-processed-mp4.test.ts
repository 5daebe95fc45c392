import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { sessions } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';
import { clock, holdsForRecordings } from './recorded-sessions.ts';
import { missingId } from './unknown-record.ts';

const operation = 'get-live-event-session-processed-mp4';
/** Seconds since 1970 of an hour after `clock`: when the URLs of that moment expire. */
const expires = Date.parse('2026-10-12T17:00:00.000Z') / 1000;

describe('get-live-event-session-processed-mp4', () => {
  it('gives a signed URL on this server for a session that has ended', async () => {
    const { call, sandbox, url } = await world({ clock });
    const result = resultOf(await call(operation, { liveEventSessionId: sessions.oneSource }));
    expect(result).toEqual({ downloadUrl: expect.any(String) });
    const { origin, pathname, search } = new URL(String(result['downloadUrl']));
    expect({ origin, pathname }).toEqual({
      origin: url,
      pathname: `/media/${sandbox.id}/sessions/${sessions.oneSource}/recording.mp4`,
    });
    expect(search).toMatch(new RegExp(`^\\?expires=${expires}&signature=[0-9a-f]{64}$`));
  });

  it('gives the same URL at the same moment, another one later, and another one for another session', async () => {
    const { call, sandbox } = await world({ clock });
    const urlOf = async (liveEventSessionId: string) =>
      resultOf(await call(operation, { liveEventSessionId }))['downloadUrl'];
    const first = await urlOf(sessions.oneSource);
    expect(await urlOf(sessions.oneSource)).toBe(first);
    expect(signatureOf(await urlOf(sessions.twoSources))).not.toBe(signatureOf(first));
    await sandbox.clock.advance({ seconds: 1 });
    const later = await urlOf(sessions.oneSource);
    expect(later).toContain(`?expires=${expires + 1}&`);
    expect(signatureOf(later)).not.toBe(signatureOf(first));
  });

  it('leads to an mp4', async () => {
    const { call, url } = await world();
    const { downloadUrl } = resultOf(await call(operation, { liveEventSessionId: sessions.oneSource }));
    const { status, type } = await supertest(url).get(String(downloadUrl).slice(url.length));
    expect({ status, type }).toEqual({ status: 200, type: 'video/mp4' });
  });

  holdsForRecordings(operation);

  it('gives the URL of a future session from its end on, and not a millisecond before', async () => {
    const { call, sandbox } = await world({ clock });
    await sandbox.clock.set({ mode: 'frozen', now: '2026-10-19T16:44:59.999Z' });
    expect(failureOf(await call(operation, { liveEventSessionId: sessions.future }))).toContain(
      'it has not ended',
    );
    await sandbox.clock.advance({ seconds: 0.001 });
    expect(resultOf(await call(operation, { liveEventSessionId: sessions.future }))['downloadUrl']).toContain(
      sessions.future,
    );
  });

  it('answers a batch element by element', async () => {
    const { batch } = await world();
    const ids = [missingId, sessions.oneSource, sessions.future, sessions.twoSources];
    const outputs = outputsOf(
      await batch(
        operation,
        ids.map((liveEventSessionId) => ({ liveEventSessionId })),
      ),
    );
    expect(outputs).toMatchObject([
      {
        status: 'error',
        errorMessage: `/data/0/data/liveEventSessionId: The school has no live event session with the identifier "${missingId}".`,
      },
      { status: 'ok', data: { downloadUrl: expect.stringContaining(sessions.oneSource) } },
      { status: 'error', errorMessage: expect.stringContaining('it has not ended') },
      { status: 'ok', data: { downloadUrl: expect.stringContaining(sessions.twoSources) } },
    ]);
  });

  it('refuses a missing liveEventSessionId with a pointer to it', async () => {
    const { call } = await world();
    expect(failureOf(await call(operation, {}))).toBe(
      'The parameters are invalid. /data/0/data/liveEventSessionId is required, but missing.',
    );
  });
});

function signatureOf(url: unknown): string | null {
  return new URL(String(url)).searchParams.get('signature');
}
