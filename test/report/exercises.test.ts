import { describe, expect, it } from 'vitest';
import { checks } from '../../src/report/checks/index.ts';
import { bad } from '../clients/bad/index.ts';
import type { Condition } from '../clients/spec.ts';

/** The command of `exec` that sets up a condition, but for a scope; null if it needs rules of its own. */
function commandFor({ scenario, limits, rules = [] }: Condition): string | null {
  if (rules.length > 0) return null;
  const options = [
    ...(scenario === undefined ? [] : [`--scenario ${scenario} `]),
    ...(limits === undefined ? [] : [`--limits ${limits} `]),
  ];
  return `lp-sandbox exec ${options.join('')}-- CMD`;
}

/** The command without the label of the key, which makes all calls one scope. */
function withoutScope(exercise: string): string {
  return exercise.replace(/sh -c 'SANDBOX_API_KEY=\S+_run CMD'$/, 'CMD');
}

describe('the exercise of each check', () => {
  // test:clients plays all of them.
  it.each(checks.map(({ check, exercise }) => [check, exercise]))(
    '%s: a bad client of the corpus is found with %s',
    (check, exercise) => {
      const found = bad.filter((client) => client.check === check);
      expect(
        found.map(({ under }) => commandFor(under)),
        `No client in test/clients/bad/ with the check ${check} runs under its exercise. Add one.`,
      ).toContain(withoutScope(exercise));
    },
  );
});
