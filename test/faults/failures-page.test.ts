import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { checkRule, checkScenario } from '../../src/faults/check-rule.ts';
import { faultGroups, faultNames } from '../../src/faults/index.ts';
import type { NewFaultRule } from '../../src/faults/rule.ts';
import { learner, quiz } from '../support/demo.ts';
import { outputsOf, world } from '../support/world.ts';
import { examples, headingsOf, ofLanguage, pages } from './failures-page.ts';

const headings = headingsOf(pages.faults);

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    headingsOf(page).map((heading) => heading.toLowerCase().replaceAll('`', '').replaceAll(' ', '-')),
  );
}

describe('the pages about failures', () => {
  it('begin with an example', () => {
    expect(pages.failures).toMatch(/^# .+\n\n```sh\ncurl /);
  });

  it('have a section for every fault, by group, with its parameters and a curl that requests it', () => {
    expect(headings.filter((heading) => faultNames.some((name) => heading === `\`${name}\``))).toEqual(
      faultNames.map((name) => `\`${name}\``),
    );
    const firsts = Object.values(faultGroups).map(([first]) => headings.indexOf(`\`${first.name}\``));
    expect(firsts.map((place) => headings[place - 1])).toEqual(
      Object.keys(faultGroups).map((group) => `The ${group === 'reply' ? 'response' : group}`),
    );
    for (const name of faultNames) {
      const asking = examples
        .filter(({ heading }) => heading === `\`${name}\``)
        .map(({ command }) => command);
      expect(asking, `curls of ${name}`).not.toEqual([]);
      for (const command of asking)
        expect(command).toMatch(new RegExp(`"fault\\.${name}[".]|'Sandbox-Fault: ${name}[';]`));
    }
  });

  it('show the output of every curl, and have none that is not run here', () => {
    expect(examples.filter(({ lines, code }) => lines.length === 0 && code === 0)).toEqual([]);
    expect(
      Object.values(pages)
        .join('\n')
        .match(/curl (-|http)/g),
    ).toHaveLength(examples.length);
  });

  it('link only to sections that exist', () => {
    const targets = Object.entries(pages).flatMap(([name, page]) =>
      [...page.matchAll(/\]\((?:([\w-]+)\.md)?#([^)]+)\)/g)].map(
        ([, other = name, anchor]) => [other, anchor] as const,
      ),
    );
    expect(targets.length).toBeGreaterThan(faultNames.length);
    const known = new Map(Object.entries(pages).map(([name, page]) => [name, anchorsOf(page)]));
    expect(targets.filter(([name, anchor = '']) => known.get(name)?.has(anchor) !== true)).toEqual([]);
  });

  it.each(ofLanguage('json'))('have a rule that can be added: %s', (text) => {
    expect(checkRule(JSON.parse(text))).toHaveProperty('rule');
  });

  it('have a rule whose ten bad minutes are as it says', { tags: ['slow'] }, async () => {
    const [, exact = ''] = ofLanguage('json');
    const { sandbox, call } = await world();
    // It was checked above.
    await sandbox.faults.add(JSON.parse(exact) as NewFaultRule);
    const statusOf = async (userId: string, school?: string): Promise<unknown> =>
      outputsOf(
        await call(
          'submit-user-course-item',
          { courseItemId: quiz.itemId, userId, userEmail: learner.email },
          school,
        ),
      )[0]?.status;
    const submit = async (): Promise<unknown> => [
      await statusOf(learner.id),
      await statusOf('somebody-else'),
    ];
    expect([await submit(), await submit(), await submit()]).toEqual([
      ['ok', 'ok'],
      ['ok', 'ok'],
      ['error', 'ok'],
    ]);
    await sandbox.clock.advance({ seconds: 600 });
    expect([await submit(), await submit(), await submit()]).not.toContainEqual(['error', 'ok']);
  });

  it('have a scenario that is valid', () => {
    const texts = ofLanguage('yaml');
    expect(texts).toHaveLength(1);
    expect(checkScenario('monday', parse(texts.join('')))).toHaveProperty('rules');
  });
});
