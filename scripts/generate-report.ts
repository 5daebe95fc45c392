import { checks } from '../src/report/checks/index.ts';
import { readVerdicts } from '../test/clients/verdicts.ts';
import { table, type Blocks } from './generated-blocks.ts';

const strengths = { must: 'Must', should: 'Should', advice: 'Advice' } as const;

function checkText(entry: (typeof checks)[number]): string {
  const { check, title, rule, details = [], exceptions = [], basis, strength, exercise } = entry;
  return [
    `### ${check}\n\n${title}. ${rule}`,
    ...listUnder('How the check decides:', details),
    ...listUnder('The check does not judge:', exceptions),
    `_${strengths[strength]}._ ${basis}`,
    `To exercise it: \`${exercise}\``,
  ].join('\n\n');
}

function listUnder(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [heading, items.map((item) => `- ${item}`).join('\n')];
}

/** The results of a run of the corpus of clients. */
function clientsText(): string {
  const { exemplary, bad } = readVerdicts();
  const runs = exemplary.reduce((sum, client) => sum + client.runs, 0);
  const accused = exemplary.reduce((sum, client) => sum + client.accused, 0);
  const found = bad.filter(({ foundBy }) => foundBy !== null).length;
  return [
    `### ${exemplary.length} exemplary clients\n\n${runs} runs, of which ${accused} had a finding:`,
    table(
      ['client', 'what it is', 'runs', 'with findings'],
      exemplary.map((client) => [client.name, client.is, String(client.runs), String(client.accused)]),
    ),
    `### ${bad.length} clients with a defect\n\nIn the last run, ${found} of them got the result that the last column names. If it says _or not judged_, the journal does not always prove the defect, so the test also accepts the result _not judged_:`,
    table(
      ['client', 'what it does', 'found by'],
      bad.map(({ name, is, foundBy, mayBeNotJudged }) => [
        name,
        is,
        `${foundBy ?? 'not found'}${mayBeNotJudged === true ? ', or not judged' : ''}`,
      ]),
    ),
  ].join('\n\n');
}

/** The generated blocks of `docs/report.md`. */
export function reportBlocks(): Blocks {
  return { checks: checks.map(checkText).join('\n\n'), clients: clientsText() };
}
