import * as fc from 'fast-check';
import { toBaseline } from '../../src/report/baseline.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderings } from '../../src/report/render/renderings.ts';
import type { Report } from '../../src/report/report.ts';
import { toText } from '../../src/report/render/text.ts';
import { anyText } from '../support/any-text.ts';
import { readMarkup, type Element } from '../support/markup.ts';
import { sloppyClient } from '../support/sloppy-client.ts';

let report: Report;

beforeAll(async () => {
  report = await (await sloppyClient()).sandbox.report();
});

const nasty = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</pre></td></details>',
  '<!--',
  ']]>',
  '&lt;',
  '&#x3c;',
  '| a | b |',
  '\\|',
  '```',
  '` `',
  '\n\n# head\n',
  '@team #1 https://evil.example www.evil.example',
  '[x](javascript:alert(1))',
  '\u0000\u001b[31m',
  '\u202e\u2066',
  '\ud800',
  '\uffff',
  '${x}',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...nasty), anyText()), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** The report with a text wherever one can come from a client. */
function saying(words: string): Report {
  return {
    ...report,
    violations: report.violations.map((one) => ({ ...one, pointer: `/${words}`, message: words })),
    conduct: report.conduct.map((one) => ({
      ...one,
      findings: one.findings.map((finding) => ({ ...finding, message: words, scope: words })),
    })),
    exchanges: report.exchanges.map((one) => ({
      ...one,
      url: `/${words}`,
      requestHeaders: { 'x-note': words },
      requestMarks: [{ line: 1, message: words }],
      responseHeaders: { 'x-note': words },
      // A body that is no JSON is shown as it is, so its line breaks are those of the client.
      response: words.replaceAll(/\s/g, ' '),
    })),
  };
}

/** The tags of a document with their attributes, but for the texts in them. */
function structure({ name, attributes, children }: Element): unknown {
  const { message: _message, ...others } = attributes;
  return [name, others, children.map(structure)];
}

function render(suffix: string, shown: Report): string {
  return renderings[suffix]?.render(shown) ?? '';
}

/** Markdown without the content of its code blocks, each of which has to end. */
function unfenced(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const [ticks = null] = /^`{3,}/.exec(line) ?? [];
    if (fence === null) lines.push(line.replace(/^`{3,}/, '```'));
    // A longer fence ends a block too.
    else if (ticks !== null && ticks.length >= fence.length && ticks === line.trimEnd()) lines.push('end');
    if (fence === null) fence = ticks;
    else if (lines.at(-1) === 'end') fence = null;
  }
  expect(fence).toBeNull();
  return lines.join('\n');
}

/** How the lines of Markdown begin. */
function skeleton(markdown: string): readonly string[] {
  return markdown.split('\n').map((line) => line.slice(0, 4).trim());
}

describe('whatever a client sent', () => {
  it.each([
    ['html', ['meta']],
    ['junit.xml', []],
  ])('%s is well-formed, and has no tag or attribute but its own', { tags: ['slow'] }, (suffix, endless) => {
    const own = structure(readMarkup(render(suffix, saying('harmless')), endless));
    fc.assert(
      fc.property(text, (words) => {
        expect(structure(readMarkup(render(suffix, saying(words)), endless))).toEqual(own);
      }),
      { numRuns: 12 },
    );
  });

  it('the comment has no tag, no cell and no line but its own, and mentions nobody', () => {
    const own = skeleton(unfenced(render('md', saying('harmless'))));
    fc.assert(
      fc.property(text, (words) => {
        const markdown = render('md', saying(words));
        expect(skeleton(unfenced(markdown))).toEqual(own);
        expect(unfenced(markdown).match(/<(?!\/?(?:details|summary|code)>)/g)).toBeNull();
        const rows = markdown.split('\n').filter((line) => /^\| \d+ \| `/.test(line));
        expect(rows).toHaveLength(report.violations.length);
        for (const row of rows) {
          expect(row.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(6);
          expect(row).not.toMatch(/[@#]\w|https?:\/\/|(?<!\\)[[\]]|[^\\]``/);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('the text has no line but its own, and no character that steers a terminal', () => {
    const own = toText(saying('harmless')).split('\n').length;
    fc.assert(
      fc.property(text, (words) => {
        const shown = toText(saying(words));
        expect(shown.split('\n')).toHaveLength(own);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 12 },
    );
  });

  it('the JSON file and the baseline escape such characters, and say the same', { tags: ['slow'] }, () => {
    fc.assert(
      fc.property(text, (words) => {
        const hostile = saying(words);
        for (const shown of [render('json', hostile), toBaseline(hostile)])
          expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        expect(JSON.parse(render('json', hostile))).toEqual(JSON.parse(JSON.stringify(hostile)));
      }),
      { numRuns: 12 },
    );
  });

  it('the page tells as it was, where it can be shown', () => {
    const page = readMarkup(render('html', saying('<b>"it\'s" & more</b>')), ['meta']);
    expect(page.text).toContain('<b>"it\'s" & more</b>');
  });
});
