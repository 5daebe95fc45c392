import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../src/console/control-problem.ts';
import { whyIdle, whyNever } from '../../src/console/panels/failures/never-fires.ts';
import { ControlProblem } from '../../src/console/control-problem.ts';
import { atFields, ruleFrom, scopeOf } from '../../src/console/panels/failures/rule-from.ts';

const fault: Schemas['Fault'] = {
  name: 'timeout',
  summary: '',
  group: 'connection',
  phase: 'before',
  parameters: [],
};

function conditionsOf(fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ operation: '*', ...fields })) form.set(name, value);
  return ruleFrom(form, fault).when;
}

describe('the form of a rule', () => {
  it.each([
    [{ scope: 'next', 'when.first': '2' }, { times: 1 }],
    [{ scope: 'every', 'when.first': '2' }, undefined],
    [{ scope: 'some', 'when.first': '2' }, { first: 2 }],
    [
      { scope: 'some', 'when.times': '3', 'between.0': 'now', 'between.1': '2026-02-11' },
      { times: 3, between: ['now', '2026-02-11T00:00:00Z'] },
    ],
  ])('describes which calls fail: %j', (fields, when) => {
    expect(conditionsOf(fields)).toEqual(when);
    expect(scopeOf(when)).toBe(fields.scope);
  });

  it.each([
    [{ when: { times: 0 } }, 'it may fire at most 0 times'],
    [{ when: { probability: 0 } }, 'its probability is 0'],
    [{ when: { first: 0 } }, 'it affects only the first 0 calls'],
    [{ when: { first: 2, every: 3 } }, 'it affects one call in 3, and only the first 2 calls'],
    [{ match: { key: 'sbx_othe…de' }, keySchool: null }, 'no school of this sandbox has its key'],
    [
      { match: { key: 'sbx_own_…st', school: 'riverside' }, keySchool: 'hillcrest' },
      'its key is of the school hillcrest, but its school is riverside',
    ],
    [{ match: { key: 'sbx_own_…de', school: 'riverside' }, keySchool: 'riverside' }, null],
    [{ when: { first: 3, every: 3, times: 1, probability: 0.1 }, keySchool: 'riverside' }, null],
    [{}, null],
  ])('says why a rule never fires: %j', (rule, why) => {
    expect(whyNever(rule)).toBe(why);
  });

  it('says that a rule is active only if it is', () => {
    expect(whyIdle({ canFire: true })).toBe(null);
    expect(whyIdle({ canFire: false })).toBe('It cannot fire, because its time is over.');
    expect(whyIdle({ canFire: false, when: { probability: 0 } })).toBe(
      'It can never fire, because its probability is 0.',
    );
  });

  it('wants at least one of several operations, and says so at their field', () => {
    expect(() => conditionsOf({ operation: '-', scope: 'every' })).toThrow(
      expect.objectContaining({
        violations: [{ pointer: '/operation', message: 'Choose at least one operation.' }],
      }),
    );
  });

  it('shows at the field of its end that an interval is reversed', () => {
    const violations = [
      { pointer: '/when/between', message: 'must start before it ends.' },
      { pointer: '/when/first', message: 'must be at least 0.' },
    ];
    const problem = new ControlProblem({ status: 422, title: 'Invalid', detail: '', violations });
    expect(atFields(problem)?.violations).toEqual([
      { pointer: '/when/between/1', message: 'must be after the start.' },
      { pointer: '/when/first', message: 'must be at least 0.' },
    ]);
  });

  it('wants a condition for some calls, because the rule would affect every call', () => {
    expect(() => conditionsOf({ scope: 'some' })).toThrow('Fill in at least one condition');
  });
});
