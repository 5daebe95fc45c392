import { oneLine } from '../../base/escape.ts';

const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // GitHub finds mentions and issues after rendering the Markdown, when backslashes are gone.
  '@': '@\u200b',
  '#': '#\u200b',
};

/**
 * Returns text on one line that Markdown and GitHub do not interpret: no markup, table cell, mention or link.
 */
export function prose(text: string): string {
  return oneLine(text).replaceAll(
    /[\\`*_~[\]$&<>|@#]|(?<=:)\/(?=\/)|(?<=www)\./gi,
    (character) => written[character] ?? `\\${character}`,
  );
}

/** Formats a name, path or id as code. */
export function code(text: string): string {
  return /^[\w./*{}-]+( [\w./*{}-]+)*$/.test(text) ? `\`${text}\`` : `<code>${prose(text)}</code>`;
}

/** Returns a code block whose fence is longer than any fence in the text. */
export function fenced(text: string, language = 'sh'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A part of a page: items between a header and a footer. */
export interface Block {
  readonly head: string;
  readonly items: readonly string[];
  readonly foot: string;
}

/** GitHub limits comments to 65,536 characters; this leaves room for additions. */
const maxCharacters = 60_000;

/** Joins the blocks into a comment. Omits the last items if there is no room, and notes their number. */
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
  const note =
    rest === 0 ? [] : ['', `… and ${rest} more, omitted because of the length limit for comments.`];
  return `${[head, ...kept, ...note, foot].filter((part, index) => part !== '' || index > 0).join('\n')}\n`;
}
