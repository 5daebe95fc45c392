/** How many characters are put together before they go on. */
const pieceLength = 128 * 1024;

/** A collection as the file of a seed has it: one record on each line, in pieces of some length. */
export function* seedText(records: readonly object[]): Iterable<string> {
  let piece = '[';
  for (const [number, record] of records.entries()) {
    piece += `${number === 0 ? '' : ','}\n${JSON.stringify(record)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${records.length === 0 ? '' : '\n'}]\n`;
}
