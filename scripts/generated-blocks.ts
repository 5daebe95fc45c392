/** Generated texts by the name of their block. */
export type Blocks = Readonly<Record<string, string>>;

/**
 * Returns a page with each `<!-- generated: NAME -->` … `<!-- end -->` block filled anew. Throws if the page has a
 * block without a text, or lacks the block of a text. `file` is for the message.
 */
export function fillBlocks(file: string, page: string, blocks: Blocks): string {
  const missing = new Set(Object.keys(blocks));
  const filled = page.replaceAll(
    /(<!-- generated: ([\w -]+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const block = blocks[name];
      if (block === undefined) {
        throw new Error(
          `${file} has a generated block "${name}", but its blocks are ${Object.keys(blocks).join(', ')}.`,
        );
      }
      missing.delete(name);
      return `${start}\n${block}\n\n${end}`;
    },
  );
  const [name] = missing;
  if (name !== undefined) {
    throw new Error(
      `${file} has no generated block "${name}". Add the lines "<!-- generated: ${name} -->" and "<!-- end -->" where its text belongs.`,
    );
  }
  return filled;
}

/** A table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(line).join('\n');
}

function line(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
}
