import { describe, expect, it } from 'vitest';
import { Acceptance } from '../../src/upstream/calibrate/acceptance.ts';
import { outputsOf, type Reply } from '../../src/upstream/calibrate/reply.ts';
import type { Request } from '../../src/upstream/calibrate/upstream.ts';

const good: Request = { operation: 'get-all-live-events' };
const other: Request = { operation: 'get-quiz-details' };

function reply(status: number, text: string): Reply {
  return { status, text, headerNames: [], hasMark: false, outputs: outputsOf(text), header: () => null };
}

const success = reply(200, '[{"output":{"status":"ok","data":{}}}]');
const refusal = reply(400, '{"message":"no"}');

/** Makes calls that are refused alike. Returns after which of them the service is checked, which it passes. */
function checksAmong(acceptance: Acceptance, count: number): readonly number[] {
  const checks: number[] = [];
  for (let call = 1; call <= count; call += 1)
    if (acceptance.isDoubtful(other, refusal)) {
      checks.push(call);
      acceptance.confirm();
    }
  return checks;
}

describe('whether a service may refuse everything', () => {
  it('is checked ever more rarely if it refuses all calls alike', () => {
    const acceptance = new Acceptance();
    acceptance.note(good, success);
    expect(checksAmong(acceptance, 64)).toEqual([4, 8, 16, 32, 48, 64]);
  });

  it('is checked soon after another call has succeeded, or for another refusal', () => {
    const acceptance = new Acceptance();
    acceptance.note(good, success);
    checksAmong(acceptance, 32);
    acceptance.note({ operation: 'get-all-instructors' }, success);
    expect(checksAmong(acceptance, 8)).toEqual([4, 8]);
    checksAmong(acceptance, 24);
    for (let made = 0; made < 3; made += 1) acceptance.isDoubtful(other, refusal);
    expect(acceptance.isDoubtful(other, reply(404, ''))).toBe(true);
  });
});
