import { expect, it } from 'vitest';
import { BeyondCounts } from '../../src/contract/beyond-counts.ts';

it('null in a field that the specification states as a time is beyond the contract, although the sandbox can send it', () => {
  const counts = new BeyondCounts();
  const data = { liveEvents: [{ sessions: [{ endedAtIso: null }] }] };
  counts.add('get-all-live-events', [{ status: 'ok', data }], 'a call');
  expect(counts.all()).toMatchObject([
    { kind: 'null', place: '/*/output/data/liveEvents/*/sessions/*/endedAtIso', count: 1 },
  ]);
});
