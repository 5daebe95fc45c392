import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../src/console/control-problem.ts';
import { ruleFrom, scopeOf } from '../../src/console/panels/failures/rule-from.ts';

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

  it('wants a condition for some calls, because the rule would affect every call', () => {
    expect(() => conditionsOf({ scope: 'some' })).toThrow('Fill in at least one condition');
  });
});
