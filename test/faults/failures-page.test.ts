import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { fillFailures } from '../../scripts/generate-failures.ts';
import { readDocument } from '../../src/contract/document.ts';
import { checkRule, checkScenario } from '../../src/faults/check-rule.ts';
import { faultGroups, faultNames } from '../../src/faults/index.ts';
import type { NewFaultRule } from '../../src/faults/rule.ts';
import { learner, quiz } from '../support/demo.ts';
import { outputsOf, world } from '../support/world.ts';
import { examples, headings, ofLanguage, page } from './failures-page.ts';

describe('docs/failures.md', () => {
  it('has fresh generated blocks', () => {
    expect(fillFailures(page, readDocument('control'))).toBe(page);
  });

  it('begins with an example', () => {
    expect(page).toMatch(/^# .+\n\n```sh\ncurl /);
  });

  it('has a section for every fault, grouped as they are, with what is known of it and a curl that asks for it', () => {
    expect(headings.filter((heading) => faultNames.includes(heading.replaceAll('`', '')))).toEqual(faultNames.map((name) => `\`${name}\``));
    const firsts = Object.values(faultGroups).map(([first]) => headings.indexOf(`\`${first.name}\``));
    expect(firsts.map((place) => headings[place - 1])).toEqual(Object.keys(faultGroups).map((group) => `The ${group}`));
    for (const name of faultNames) {
      expect(page).toContain(`<!-- generated: fault ${name} -->`);
      const asking = examples.filter(({ heading }) => heading === `\`${name}\``).map(({ command }) => command);
      expect(asking, `curls of ${name}`).not.toEqual([]);
      for (const command of asking) expect(command).toMatch(new RegExp(`"fault\\.${name}[".]|'Sandbox-Fault: ${name}[';]`));
    }
  });

  it('shows what every curl comes to, and has none that is not run here', () => {
    expect(examples.filter(({ lines, code }) => lines.length === 0 && code === 0)).toEqual([]);
    expect(page.match(/curl (-|http)/g)).toHaveLength(examples.length);
  });

  it('leads nowhere that is not there', () => {
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll('`', '').replaceAll(' ', '-'));
    const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(faultNames.length);
    expect(anchors).toEqual(expect.arrayContaining(targets));
  });

  it.each(ofLanguage('json'))('has a rule that can be added: %s', (text) => {
    expect(checkRule(JSON.parse(text))).toHaveProperty('rule');
  });

  it('has a rule whose ten bad minutes are as it says', async () => {
    const [, exact = ''] = ofLanguage('json');
    const { sandbox, call } = await world();
    // It was checked above.
    await sandbox.faults.add(JSON.parse(exact) as NewFaultRule);
    const statusOf = async (userId: string, school?: string): Promise<unknown> =>
      outputsOf(await call('submit-user-course-item', { courseItemId: quiz.itemId, userId, userEmail: learner.email }, school))[0]?.status;
    const submit = async (): Promise<unknown> => [await statusOf(learner.id), await statusOf('somebody-else')];
    expect([await submit(), await submit(), await submit()]).toEqual([
      ['ok', 'ok'],
      ['ok', 'ok'],
      ['error', 'ok'],
    ]);
    await sandbox.clock.advance({ seconds: 600 });
    expect([await submit(), await submit(), await submit()]).not.toContainEqual(['error', 'ok']);
  });

  it('has a scenario that fits', () => {
    const texts = ofLanguage('yaml');
    expect(texts).toHaveLength(1);
    expect(checkScenario('monday', parse(texts.join('')))).toHaveProperty('rules');
  });
});
