import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedPages } from '../../scripts/generate-docs.ts';
import { renderGuide } from '../../scripts/render-guide.ts';
import { readDocument } from '../../src/contract/document.ts';
import { contract } from '../support/documents.ts';
import { guides } from '../../src/pages/guides.ts';

const files = readdirSync('docs').filter((name) => name.endsWith('.md'));

function read(file: string): string {
  return readFileSync(join('docs', file), 'utf8');
}

/** The links of a page, without code, and each with its file and its anchor. */
function linksOf(page: string): readonly (readonly [file: string, anchor: string | undefined])[] {
  const prose = page.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, '');
  return [...prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, file = '', anchor]) => [
    file,
    anchor,
  ]);
}

describe('the pages of docs/', () => {
  it('are the guides that the server serves, and their list', () => {
    expect(new Set(files)).toEqual(new Set(['README.md', ...guides.map(({ name }) => `${name}.md`)]));
  });

  it.each(files)('%s links only to files and sections that exist', (file) => {
    const broken = linksOf(read(file)).filter(([target, anchor]) => {
      const name = target === '' ? file : target;
      if (!existsSync(join('docs', name))) return true;
      return (
        anchor !== undefined && !renderGuide(read(name)).headings.some((heading) => heading.anchor === anchor)
      );
    });
    expect(broken).toEqual([]);
  });

  const pages = generatedPages(contract, readDocument('control'));

  it.each(Object.entries(pages))('%s.md has fresh generated blocks', (name, fill) => {
    const page = read(`${name}.md`);
    expect(page).toContain('<!-- generated: ');
    expect(fill(page)).toBe(page);
  });

  it('cannot be generated without a block: docs/faults.md without the one of a fault', () => {
    const page = read('faults.md').replace('<!-- generated: fault reset -->\n', '');
    expect(() => pages['faults']?.(page)).toThrow(
      'docs/faults.md has no generated block "fault reset". Add the lines "<!-- generated: fault reset -->" and',
    );
  });

  it('README.md of the project links only to files that exist', () => {
    const links = linksOf(readFileSync('README.md', 'utf8'));
    expect(links.length).toBeGreaterThanOrEqual(6);
    expect(links.filter(([file]) => !existsSync(file))).toEqual([]);
  });
});
