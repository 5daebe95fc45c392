/** The page with each `<!-- generated: NAME -->` … `<!-- end -->` block filled anew. Throws for a name it does not know. */
export function fillBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return page.replaceAll(
    /(<!-- generated: ([\w -]+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const block = blocks[name];
      if (block === undefined)
        throw new Error(`The page asks for a block "${name}"; there are ${Object.keys(blocks).join(', ')}.`);
      return `${start}\n${block}\n\n${end}`;
    },
  );
}

/** A table in Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(line).join('\n');
}

function line(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
}
