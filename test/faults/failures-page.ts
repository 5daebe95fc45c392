import { readFileSync } from 'node:fs';

/** The text of docs/failures.md. */
export const page = readFileSync('docs/failures.md', 'utf8');

/** A fenced block, and the heading that it stands under. */
interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, language = '', content = ''] of text.matchAll(/^#+ (.+)$|^```(\w+)\n([^]*?)\n```$/gm)) {
    if (title === undefined) blocks.push({ heading, language, text: content });
    else heading = title;
  }
  return blocks;
}

const blocks = blocksOf(page);

/** Each `curl` of the page, with what the page says that it prints and how it ends. */
export const examples = blocks.flatMap(({ heading, language, text: command }, index) => {
  if (language !== 'sh' || !command.startsWith('curl ')) return [];
  const next = blocks[index + 1];
  const shown = next?.language === 'text' ? next.text.split('\n') : [];
  // What curl says of a failure differs between its versions; the number in it is its exit code.
  const complaints = shown.filter((line) => line.startsWith('curl: ('));
  const lines = shown.filter((line) => line !== '…' && !complaints.includes(line));
  return [{ heading, command, lines, code: Number(/\d+/.exec(complaints[0] ?? '')?.[0] ?? 0) }];
});

export const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** What the blocks of a language have. */
export function ofLanguage(language: string): readonly string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text);
}
