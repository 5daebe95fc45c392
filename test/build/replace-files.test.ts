import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceFiles } from '../../scripts/replace-files.ts';
import { temporaryFolder } from '../support/command.ts';

const shown = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.'))
    .toSorted();
const build = (...names: readonly string[]) => new Map(names.map((name) => [name, `the text of ${name}`]));

/** A folder as two builds left it, one after the other. */
function built(): string {
  const folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  replaceFiles(folder, build('main.js', 'chunk-one.js'));
  replaceFiles(folder, build('main.js', 'chunk-two.js'));
  return folder;
}

const day = 24 * 60 * 60 * 1000;

describe('what a build leaves', () => {
  it('is kept for a day, counted from the build that needs it no more', () => {
    const folder = built();
    vi.setSystemTime(Date.now() + day - 1);
    replaceFiles(folder, build('main.js', 'chunk-three.js'));
    expect(shown(folder)).toEqual(['chunk-one.js', 'chunk-three.js', 'chunk-two.js', 'main.js']);
    vi.setSystemTime(Date.now() + 1);
    replaceFiles(folder, build('main.js', 'chunk-three.js'));
    expect(shown(folder)).toEqual(['chunk-three.js', 'chunk-two.js', 'main.js']);
  });

  it('is kept for another day where a build in between needed it', () => {
    const folder = built();
    replaceFiles(folder, build('main.js', 'chunk-one.js'));
    vi.setSystemTime(Date.now() + day);
    replaceFiles(folder, build('main.js'));
    expect(shown(folder)).toEqual(['chunk-one.js', 'main.js']);
  });

  it('is gone at once where the folder is to be clean, down to the note of when it was left', () => {
    const folder = built();
    replaceFiles(folder, build('main.js', 'chunk-two.js'), { clean: true });
    expect(readdirSync(folder).toSorted()).toEqual(['chunk-two.js', 'main.js']);
  });
});

describe('a build', () => {
  it('never changes a file in place, and leaves one alone that is as it is to be', () => {
    const folder = built();
    const [main, chunk] = [join(folder, 'main.js'), join(folder, 'chunk-two.js')].map(
      (path) => statSync(path).ino,
    );
    replaceFiles(folder, new Map([...build('chunk-two.js'), ['main.js', 'another text']]), {
      programs: ['main.js'],
    });
    expect(readFileSync(join(folder, 'main.js'), 'utf8')).toBe('another text');
    expect(statSync(join(folder, 'main.js')).ino).not.toBe(main);
    expect(statSync(join(folder, 'main.js')).mode & 0o111).toBe(0o111);
    expect(statSync(join(folder, 'chunk-two.js')).ino).toBe(chunk);
  });

  it('leaves what another build is writing', () => {
    const folder = built();
    mkdirSync(join(folder, 'icons'));
    writeFileSync(join(folder, '.chunk-four.js.4711'), '');
    writeFileSync(join(folder, 'icons/.star.svg.4711'), '');
    replaceFiles(folder, build('main.js'), { clean: true });
    expect([readdirSync(folder), readdirSync(join(folder, 'icons'))].flat()).toEqual(
      expect.arrayContaining(['.chunk-four.js.4711', '.star.svg.4711']),
    );
  });

  it('is the only way in which a script writes a file, so that no other process reads half of one', () => {
    const writing = /\b(writeFile|appendFile|createWriteStream|copyFile|cpSync)/;
    const scripts = readdirSync('scripts').filter((name) =>
      writing.test(readFileSync(join('scripts', name), 'utf8')),
    );
    expect(scripts).toEqual(['replace-files.ts']);
  });
});
