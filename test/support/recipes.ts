import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A block of code of a page. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that it is, as the comment in its first line says; null where it says none. */
  readonly file: string | null;
}

/** The blocks of code in `docs/ci.md`, by the headings of their sections. */
export const recipes = pageSections('ci');

/** The blocks of code of a page of docs/, by the headings of their sections. */
export function pageSections(page: string): ReadonlyMap<string, readonly Block[]> {
  const sections = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8').split(/^## /m);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), blocksOf(section)]));
}

/** A file that a page of docs/ shows, as it stands there. */
export function pageFile(page: string, name: string): string {
  const shown = [...pageSections(page).values()].flat().find(({ file }) => file === name);
  if (shown === undefined) throw new Error(`docs/${page}.md has no ${name}.`);
  return shown.text;
}

/** The commands of a section of a page of docs/, in the order in which they stand there. */
export function pageCommands(page: string, heading: string): readonly string[] {
  return (pageSections(page).get(heading) ?? [])
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.trim());
}

function blocksOf(section: string): readonly Block[] {
  return [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const [, file = null] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? [];
    return { language, text, file };
  });
}

/**
 * Writes the files of a section into a folder. Returns its commands, in the order in which they stand there.
 */
export function writeRecipe(heading: string, folder: string): readonly string[] {
  const blocks = recipes.get(heading) ?? [];
  // The client is shown once, for all that call it.
  const client = [...recipes.values()].flat().filter(({ file }) => file === 'client.cjs');
  const files = [...blocks, ...client].filter(({ file }) => file !== null);
  if (files.length < 2) throw new Error(`docs/ci.md has no files under "${heading}".`);
  for (const { file, text } of files) {
    mkdirSync(dirname(join(folder, file ?? '')), { recursive: true });
    writeFileSync(join(folder, file ?? ''), text);
  }
  return pageCommands('ci', heading);
}
