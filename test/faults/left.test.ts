import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import { aQuiz, frozen, openPlace, settled, type Place } from '../support/wire.ts';

/** The only entry, once it says that the client left. */
async function leftEntry({ sandbox }: Place): Promise<JournalEntry | undefined> {
  let entry: JournalEntry | undefined;
  await eventually(async () => {
    [entry] = await sandbox.journal.list();
    expect(entry?.clientLeft).toBe(true);
  });
  return entry;
}

describe('a client that leaves before its response is complete', () => {
  it.each([
    ['while a delay follows the operation', 'delay; ms=60000; phase=after', 200],
    ['while the body arrives a few bytes at a time', 'slow-body; bytes=8; ms=60000', 200],
    ['while nothing arrives at all', 'timeout; seconds=60', 0],
    ['while a delay precedes the operation', 'delay; ms=60000', 0],
  ])('is found in the journal: %s', async (_, fault, status) => {
    const place = await openPlace(frozen);
    place.send({ ...aQuiz, fault });
    await settled(place.sandbox);
    place.wire.hangUp();
    expect(await leftEntry(place)).toMatchObject({ status, clientLeft: true });
  });

  it.each([
    ['a body that arrives a few bytes at a time', 'slow-body; bytes=64; ms=1000'],
    ['a delay after the operation', 'delay; ms=3000; phase=after'],
    ['no response until the server hangs up', 'timeout; seconds=3'],
    ['a reset', 'reset'],
    ['a body that is cut off', 'truncated-body'],
    ['garbage', 'garbage'],
  ])('is none after %s', async (_, fault) => {
    const place = await openPlace(frozen);
    place.send({ ...aQuiz, fault });
    await settled(place.sandbox);
    for (let second = 0; second < 60; second += 1) await place.sandbox.clock.advance({ seconds: 1 });
    await settled(place.sandbox);
    place.wire.hangUp();
    await settled(place.sandbox);
    const [entry] = await place.sandbox.journal.list();
    expect(entry?.clientLeft).toBe(false);
  });
});
