/**
 * Parses JSON whose type is known: this project's own code wrote it, or a test holds what the server sends to its
 * contract. Throws SyntaxError.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- JSON has no types of its own
export function parseKnown<T>(json: string): T {
  // Cast: see above. What others have written is checked instead.
  return JSON.parse(json) as T;
}
