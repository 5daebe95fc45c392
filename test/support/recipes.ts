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
export const recipes: ReadonlyMap<string, readonly Block[]> = new Map(
  readFileSync('docs/ci.md', 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), blocksOf(section)]),
);

function blocksOf(section: string): readonly Block[] {
  return [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const [, file = null] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? [];
    return { language, text, file };
  });
}

/** Writes the files of a section into a folder. Returns its commands, in the order in which they stand there. */
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
  return blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
}
