/** Parses what the server sends: the server's own tests hold it to the contract. Throws SyntaxError. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- JSON has no types of its own
export function parseKnown<T>(json: string): T {
  // Cast: see above. What a user has written is checked instead.
  return JSON.parse(json) as T;
}
