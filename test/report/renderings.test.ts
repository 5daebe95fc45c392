import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { renderings } from '../../src/report/render/renderings.ts';
import { toText } from '../../src/report/render/text.ts';
import { noThresholds, type Thresholds } from '../../src/report/thresholds.ts';
import { all, readHtml, readMarkup, type Element } from '../support/markup.ts';
import { sloppyClient } from '../support/sloppy-client.ts';
import { world, type World } from '../support/world.ts';

let sloppy: World;
let report: Report;
let idle: Report;

beforeAll(async () => {
  sloppy = await sloppyClient();
  report = await sloppy.sandbox.report();
  idle = await (await world()).sandbox.report();
});

/** As with thresholds on everything, unless said otherwise. */
const strict: Thresholds = { failOn: ['violations', 'conduct'], minCoverage: {} };

function render(suffix: string, shown: Report = report, thresholds = strict): string {
  return renderings[suffix]?.render(shown, thresholds) ?? '';
}

function checksOf(verdict: string): readonly Report['conduct'][number][] {
  const checks = report.conduct.filter((one) => one.verdict === verdict);
  // Nothing can be said of none.
  expect(checks).not.toEqual([]);
  return checks;
}

/** The report as it would be, had the client done nothing wrong. */
function flawless(): Report {
  const conduct = report.conduct.map((one) =>
    one.findings.length > 0 ? { ...one, verdict: 'passed' as const, findings: [] } : one,
  );
  return { ...report, violations: [], conduct };
}

const manyViolations = (): Report['violations'] =>
  Array.from({ length: 5000 }, (_, index) => ({
    id: `violations:get-quiz-details:/data/*/data/field${index}:0123abcd`,
    operation: 'get-quiz-details',
    scopes: [],
    unmatched: false,
    pointer: `/data/*/data/field${index}`,
    message: 'must be a string, but is the number 7.'.repeat(20),
    count: 1,
    requestIds: ['own-1'],
  }));

describe('every rendering', () => {
  it.each(['html', 'md', 'text'])('says in a sentence what the client broke: %s', (suffix) => {
    const shown = suffix === 'text' ? toText(report) : render(suffix);
    const broken = checksOf('failed').length;
    const times = report.violations.reduce((sum, { count }) => sum + count, 0);
    expect(shown).toContain(
      `The client violated the contract ${times} times and should follow ${broken} rules of conduct that it did not follow.`,
    );
  });

  it.each(['html', 'md', 'text'])(
    'does not say that a client kept what it had no occasion to break: %s',
    (suffix) => {
      const shown = (one: Report): string => (suffix === 'text' ? toText(one) : render(suffix, one));
      expect(shown(idle)).toContain('The client made no calls, so there is nothing to report.');
      const open = checksOf('not-exercised').length;
      const unjudged = checksOf('not-judged').length;
      const total = report.conduct.length;
      expect(shown(flawless())).toContain(
        `The client did not violate the contract. It passed ${total - open - unjudged} of ${total} conduct checks; ${open} were not exercised and ${unjudged} ${unjudged === 1 ? 'was' : 'were'} not judged.`,
      );
    },
  );

  it.each(['html', 'md', 'text'])('tells that older calls are not counted: %s', (suffix) => {
    const older = { ...report, evicted: 12 };
    expect(suffix === 'text' ? toText(older) : render(suffix, older)).toContain(
      '12 older calls that the report does not have',
    );
  });
});

describe('the page', () => {
  let page: Element;

  beforeAll(() => {
    page = readHtml(render('html'));
  });

  it('shows each broken rule with its findings, their calls, both times, and the rule', () => {
    const articles = all(page, 'article').filter(({ attributes }) => attributes['class'] === 'check should');
    const broken = checksOf('failed');
    expect(articles).toHaveLength(broken.length);
    expect(Math.max(...broken.map(({ findings }) => findings.length))).toBeGreaterThan(3);
    for (const [index, { title, rule, findings }] of broken.entries()) {
      const text = articles[index]?.text;
      expect(text).toContain(`! ${title}`);
      expect(text).toContain(rule);
      for (const { message, evidence } of findings) {
        expect(text).toContain(message);
        for (const { requestId } of evidence) expect(text).toContain(requestId);
      }
      const times = all(articles[index] ?? page, 'time').map(({ attributes }) => attributes['datetime']);
      expect(times).toEqual(
        findings.flatMap(({ evidence }) => evidence.flatMap(({ at, receivedAt }) => [at, receivedAt])),
      );
    }
  });

  it('sets rules that were not exercised apart from those that were kept, with how to exercise them', () => {
    const titles = all(page, 'h3').map(({ text }) => text);
    expect(titles).toEqual(
      expect.arrayContaining([
        `Passed (${checksOf('passed').length})`,
        `Not exercised (${checksOf('not-exercised').length})`,
      ]),
    );
    const open = all(page, 'article').filter(({ attributes }) => attributes['class'] === 'check open');
    expect(open.map(({ text }) => text)).toEqual(
      checksOf('not-exercised').map(({ exercise }) => expect.stringContaining(exercise)),
    );
    for (const { text } of open) expect(text).not.toContain('✓');
  });

  it('has every command for what is missing, folded by kind', () => {
    const section = all(page, 'section').find(({ attributes }) => attributes['id'] === 'missing');
    const folds = section === undefined ? [] : all(section, 'details');
    const kinds = new Set(report.situations.missing.map(({ kind }) => kind));
    expect(folds).toHaveLength(kinds.size);
    const commands = folds.flatMap((fold) => all(fold, 'pre')).map(({ text }) => text);
    expect(commands.toSorted()).toEqual(report.situations.missing.map(({ command }) => command).toSorted());
    for (const { message } of report.situations.missing) expect(section?.text).toContain(message);
    for (const variable of [
      'SANDBOX_URL',
      'SANDBOX_API_KEY',
      'SANDBOX_CONTROL_URL',
      'SANDBOX_ID',
      'SANDBOX_CONTROL_TOKEN',
    ])
      expect(section?.text).toContain(variable);
  });

  it('tells how often each form of a field occurred at the operations that were called', () => {
    const quiz = report.coverage.find(({ operation }) => operation === 'get-quiz-details');
    const fold = all(page, 'details').find(({ text }) => text.startsWith('get-quiz-details: '));
    const forms = [...(quiz?.parameters ?? []), ...(quiz?.fields ?? [])];
    expect(new Set(forms.map(({ count }) => Math.min(count, 1)))).toEqual(new Set([0, 1]));
    const lines = fold === undefined ? [] : all(fold, 'li').map(({ text }) => text);
    for (const { pointer, option, count } of forms)
      expect(lines.filter((line) => line.startsWith(`${pointer}: `)).join('\n')).toContain(
        `${option} ${count === 0 ? 'never' : count}`,
      );
    for (const { operation } of report.coverage.filter(({ calls }) => calls === 0))
      expect(all(page, 'details').filter(({ text }) => text.startsWith(`${operation}: `))).toEqual([]);
  });

  it('is one that a screen reader can be led through', () => {
    const levels = headings(page);
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.slice(1).entries())
      expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
    for (const table of all(page, 'table')) {
      expect(all(table, 'caption')).toHaveLength(1);
      for (const head of all(table, 'th')) expect(head.attributes['scope']).toMatch(/^(col|row|rowgroup)$/);
    }
  });

  it('needs nothing else, and nothing that its policy forbids', async () => {
    const ids = ['section']
      .flatMap((name) => all(page, name))
      .map(({ attributes }) => `#${attributes['id']}`);
    for (const { attributes } of all(page, 'a')) expect(ids).toContain(attributes['href']);
    for (const name of ['script', 'link', 'img', 'iframe', 'form', 'object'])
      expect(all(page, name)).toEqual([]);
    expect(all(page, 'style')[0]?.text).not.toMatch(/url\(|@import/);
    const reply = await fetch(`${sloppy.url}/control/sandboxes/${sloppy.sandbox.id}/report.html`);
    expect(reply.headers.get('content-security-policy')).toContain("style-src 'unsafe-inline'");
  });
});

function headings({ children }: Element): readonly number[] {
  return children.flatMap((child) => [
    ...(/^h[1-6]$/.test(child.name) ? [Number(child.name.slice(1))] : []),
    ...headings(child),
  ]);
}

describe('the JUnit file', () => {
  it.each([
    ['that did much wrong', () => report],
    ['that did nothing', () => idle],
  ])('counts what is in it: of a client %s', (_, shown) => {
    const whole = readMarkup(render('junit.xml', shown()));
    for (const suite of [whole, ...all(whole, 'testsuite')]) {
      const count = (name: string): string => String(all(suite, name).length);
      expect(suite.attributes).toMatchObject({
        tests: count('testcase'),
        failures: count('failure'),
        errors: '0',
      });
      if (suite.name === 'testsuite') expect(suite.attributes['skipped']).toBe(count('skipped'));
    }
  });

  it('names every case once, since some CI systems drop those of a name that they know', () => {
    const names = all(readMarkup(render('junit.xml')), 'testcase').map(
      ({ attributes }) => attributes['name'],
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('fails an operation called wrongly, and skips one that was never called', () => {
    const cases = casesOf('contract');
    const wrong = new Set(report.violations.map(({ operation }) => operation));
    expect(having(cases, 'failure')).toEqual(
      report.coverage.map(({ operation }) => operation).filter((operation) => wrong.has(operation)),
    );
    expect(having(cases, 'skipped')).toEqual(report.neverCalled);
    const [first] = report.violations;
    expect(cases.find(({ attributes }) => attributes['name'] === first?.operation)?.text).toContain(
      first?.message,
    );
  });

  it('fails a rule that was broken with its findings and evidence, and skips one that was not exercised with how to exercise it', () => {
    const cases = casesOf('conduct');
    expect(having(cases, 'failure')).toEqual(checksOf('failed').map(({ check }) => check));
    const open = report.conduct.filter(({ verdict }) => ['not-exercised', 'not-judged'].includes(verdict));
    expect(having(cases, 'skipped')).toEqual(open.map(({ check }) => check));
    const find = (check: string): Element | undefined =>
      cases.find(({ attributes }) => attributes['name'] === check);
    for (const { check, findings } of checksOf('failed'))
      for (const { message, evidence } of findings) {
        expect(find(check)?.text).toContain(message);
        for (const { requestId, receivedAt } of evidence)
          expect(find(check)?.text).toMatch(new RegExp(`${requestId} at .*${receivedAt}`));
      }
    for (const { check, exercise } of checksOf('not-exercised'))
      expect(all(find(check) ?? cases[0]!, 'skipped')[0]?.attributes['message']).toContain(exercise);
  });

  it('fails nothing that no threshold asks for, and tells what was found all the same', () => {
    const whole = readMarkup(render('junit.xml', report, noThresholds));
    expect(all(whole, 'failure')).toEqual([]);
    const told = all(whole, 'system-out')
      .map(({ text }) => text)
      .join('\n');
    for (const { message, id } of report.violations)
      expect([told.includes(message), told.includes(id)]).toEqual([true, true]);
    for (const { findings } of checksOf('failed'))
      for (const { message, id } of findings)
        expect([told.includes(message), told.includes(id)]).toEqual([true, true]);
    const some = readMarkup(render('junit.xml', report, { ...noThresholds, failOn: ['retry-after'] }));
    expect(having(all(some, 'testcase'), 'failure')).toEqual(['retry-after']);
  });

  it('fails for coverage that a threshold asks for', () => {
    const some = readMarkup(render('junit.xml', report, { ...noThresholds, minCoverage: { failures: 90 } }));
    expect(having(all(some, 'testcase'), 'failure')).toEqual(['situations']);
  });

  it('has requests that match no operation as a case of their own', () => {
    const [first] = report.violations;
    const violations =
      first === undefined
        ? []
        : [{ ...first, operation: 'Get-Quiz', unmatched: true, id: 'violations:Get-Quiz::01234567' }];
    const some = readMarkup(render('junit.xml', { ...report, violations }));
    expect(having(all(some, 'testcase'), 'failure')).toContain('unmatched requests');
  });

  it('tells what is missing, and never fails for it', () => {
    const [only, ...more] = casesOf('coverage');
    expect(more).toEqual([]);
    expect(only?.children.map(({ name }) => name)).toEqual(['system-out']);
    for (const { command } of report.situations.missing) expect(only?.text).toContain(command);
  });
});

function casesOf(suite: string): readonly Element[] {
  const found = all(readMarkup(render('junit.xml')), 'testsuite').find(
    ({ attributes }) => attributes['name'] === suite,
  );
  return found === undefined ? [] : all(found, 'testcase');
}

function having(cases: readonly Element[], child: string): readonly (string | undefined)[] {
  return cases.filter((one) => all(one, child).length > 0).map(({ attributes }) => attributes['name']);
}

describe('the comment', () => {
  it('has the verdict, what was broken and where before it folds the rest', () => {
    const [before = '', ...folded] = render('md').split('<details>');
    for (const { title, findings } of checksOf('failed')) {
      expect(before).toContain(title);
      expect(before).toContain(findings[0]?.evidence[0]?.requestId);
    }
    for (const { message } of report.violations)
      expect(before).toContain(message.replaceAll('*', String.raw`\*`));
    for (const { command } of report.situations.missing) expect(before).not.toContain(command);
    expect(folded).toHaveLength(5);
    expect(render('md').split('</details>')).toHaveLength(6);
  });

  it('is never longer than GitHub takes, and says how much was left out', { tags: ['slow'] }, () => {
    const violations = manyViolations();
    const text = render('md', { ...report, violations });
    expect(text.length).toBeLessThanOrEqual(60_000);
    const shown = text.match(/^\| 1 \| `get-quiz-details` \|/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(text).toContain(`… and ${violations.length - shown} more, omitted`);
    expect(text.split('<details>').length).toBe(text.split('</details>').length);
  });
});

describe('the text', () => {
  it('has room on a screen, however much there is, and says how much more', () => {
    const conduct = report.conduct.map((one) => ({
      ...(checksOf('failed')[0] ?? one),
      check: one.check,
      verdict: 'failed' as const,
    }));
    const lines = toText({ ...report, violations: manyViolations(), conduct }).split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines).toContain(`  … and ${conduct.length - 5} more`);
    expect(lines).toContain('  … and 4995 more');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(600);
  });

  it('names what was broken and what was not exercised, and ends with where to see more', () => {
    const text = toText(report);
    for (const { check } of [...checksOf('failed'), ...checksOf('not-exercised')])
      expect(text).toContain(check);
    expect(text).toMatch(/--report report\.html\n$/);
  });
});
