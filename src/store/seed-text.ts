/** The minimum length of a piece in characters. */
const pieceLength = 128 * 1024;

/** Returns the file of a collection in pieces, with a record on each line. */
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
