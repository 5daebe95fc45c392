import { describe, expect, it } from 'vitest';
import { frozen, newTerms, openPlace, settled } from '../support/wire.ts';

describe('a call that a fault holds up', () => {
  it.each(['reset', 'import', 'restore'] as const)(
    'finishes in the world that it came to, and leaves none in the next: %s',
    async (way) => {
      const { sandbox, send, wire, terms } = await openPlace(frozen);
      const before = await terms();
      const document = await sandbox.state.export();
      await sandbox.snapshots.take('before');
      send({ ...newTerms('too late'), fault: 'delay; ms=60000' });
      await settled(sandbox);
      if (way === 'reset') await sandbox.reset();
      else if (way === 'import') await sandbox.state.import(document);
      else await sandbox.snapshots.restore('before');
      await sandbox.clock.advance({ seconds: 60 });
      expect(await wire.hear((heard) => heard.includes(']'))).toContain('"status":"ok"');
      expect(await terms()).toBe(before);
      expect(await sandbox.state.export()).toEqual(document);
    },
  );
});
