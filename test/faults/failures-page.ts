import { readFileSync } from 'node:fs';

/** The texts of the pages about failures, by their names in docs/. */
export const pages = {
  failures: readFileSync('docs/failures.md', 'utf8'),
  faults: readFileSync('docs/faults.md', 'utf8'),
  scenarios: readFileSync('docs/scenarios.md', 'utf8'),
};

/** A fenced block, and the heading that it stands under. */
interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, language = '', content = ''] of text.matchAll(
    /^#+ (.+)$|^```(\w+)\n([^]*?)\n```$/gm,
  )) {
    if (title === undefined) blocks.push({ heading, language, text: content });
    else heading = title;
  }
  return blocks;
}

const blocks = Object.values(pages).flatMap(blocksOf);

/** Each `curl` of the pages, with the output and the exit code that the page shows. */
export const examples = blocks.flatMap(({ heading, language, text: command }, index) => {
  if (language !== 'sh' || !command.startsWith('curl ')) return [];
  const next = blocks[index + 1];
  const shown = next?.language === 'text' ? next.text.split('\n') : [];
  // What curl says of a failure differs between its versions; the number in it is its exit code.
  const complaints = shown.filter((line) => line.startsWith('curl: ('));
  const lines = shown.filter((line) => line !== '…' && !complaints.includes(line));
  return [{ heading, command, lines, code: Number(/\d+/.exec(complaints[0] ?? '')?.[0] ?? 0) }];
});

/** The headings of a page. */
export function headingsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

/** The blocks of a language, in the order of the pages. */
export function ofLanguage(language: string): readonly string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text);
}
