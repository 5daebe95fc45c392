import { oneLine } from '../../base/escape.ts';

const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // GitHub looks for mentions and issues after it has read the Markdown, where no backslash is left.
  '@': '@\u200b',
  '#': '#\u200b',
};

/** Text on one line with nothing in it that Markdown or GitHub takes for more: no markup, no cell of a table, no mention, no link. */
export function prose(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_~[\]$&<>|@#]|(?<=:)\/(?=\/)|(?<=www)\./gi, (character) => written[character] ?? `\\${character}`);
}

/** A name, a path, an id; of whatever characters it is. */
export function code(text: string): string {
  return /^[\w./*{}-]+( [\w./*{}-]+)*$/.test(text) ? `\`${text}\`` : `<code>${prose(text)}</code>`;
}

/** What can be run, in a fence longer than any in it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}

/** A part of a page: items between a head and a foot. */
export interface Block {
  readonly head: string;
  readonly items: readonly string[];
  readonly foot: string;
}

/** GitHub takes comments of 65,536 characters; whoever posts this may want to add something. */
const maxCharacters = 60_000;

/** The blocks as a comment. What comes first is kept first; where items are left out, it says how many. */
export function fitted(blocks: readonly Block[]): string {
  let room = maxCharacters - blocks.reduce((sum, block) => sum + assemble(block, []).length, 0);
  const parts = blocks.map((block) => {
    const kept: string[] = [];
    for (const item of block.items) {
      if (item.length + 1 > room) break;
      kept.push(item);
      room -= item.length + 1;
    }
    return assemble(block, kept);
  });
  return parts.join('');
}

function assemble({ head, items, foot }: Block, kept: readonly string[]): string {
  const rest = items.length - kept.length;
  const note = rest === 0 ? [] : ['', `… and ${rest} more, left out because a comment has an end.`];
  return `${[head, ...kept, ...note, foot].filter((part, index) => part !== '' || index > 0).join('\n')}\n`;
}
