/**
 * Returns a table for a terminal, with a line for each row. `numbers` are the columns that are aligned to the
 * right.
 */
export function textTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const padded = (cell: string, column: number): string =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return [heads, ...rows].map((cells) => `${cells.map(padded).join('  ').trimEnd()}\n`).join('');
}
